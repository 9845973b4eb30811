import type { ListedPayment } from '@brightpane/contract/invoices/payment-history';
import { ReceiptScreen } from '../../features/payment-history/receipt-screen.tsx';
import { loadData } from '../../lib/load-data.ts';
import '../../styles/payment-history.scss';
import type { Route } from './+types/payment.ts';

export async function clientLoader({ params: { paymentId } }: Route.ClientLoaderArgs) {
  return loadData<ListedPayment>('payment', { params: { paymentId } });
}

export default function PaymentPage({ loaderData }: Route.ComponentProps) {
  return <ReceiptScreen payment={loaderData} />;
}
