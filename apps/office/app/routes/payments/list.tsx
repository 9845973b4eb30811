import type { PaymentList, PaymentRow } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { PAYMENT_FILTERS, PaymentsScreen } from '../../features/payments/payments-screen.tsx';
import { startList } from '../../ui/list/load-list.ts';
import type { Route } from './+types/list.ts';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { load: startList<PaymentRow, PaymentList>(OFFICE_ENDPOINTS.payments, request, PAYMENT_FILTERS) };
}

export default function Payments({ loaderData }: Route.ComponentProps) {
  return <PaymentsScreen load={loaderData.load} />;
}
