import type { Payment } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { PaymentScreen } from '../../features/payments/payment-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import type { Route } from './+types/payment.ts';

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  return loadData<Payment>(OFFICE_ENDPOINTS.payment, { params });
}

export default function PaymentPage({ loaderData: payment }: Route.ComponentProps) {
  return <PaymentScreen payment={payment} />;
}
