import type { RefundPage } from '@brightpane/contract/office/refunds';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { RefundScreen } from '../../features/refunds/refund-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/refund.ts';

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return loadData<RefundPage>(OFFICE_ENDPOINTS.refund, { params });
}

export default function RefundRoute({ loaderData: refund }: Route.ComponentProps) {
  return <RefundScreen refund={refund} />;
}
