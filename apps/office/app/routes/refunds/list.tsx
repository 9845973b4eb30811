import type { Refund, RefundList } from '@brightpane/contract/office/refunds';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { REFUND_FILTERS } from '../../features/refunds/refund-filters.ts';
import { RefundsScreen } from '../../features/refunds/refunds-screen.tsx';
import { startList } from '../../ui/list/load-list.ts';
import type { Route } from './+types/list.ts';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { load: startList<Refund, RefundList>(OFFICE_ENDPOINTS.refunds, request, REFUND_FILTERS) };
}

export default function Refunds({ loaderData }: Route.ComponentProps) {
  return <RefundsScreen load={loaderData.load} />;
}
