import type { ListedPayment } from '@brightpane/contract/invoices/payment-history';
import { ReceiptScreen } from '../../features/payment-history/receipt-screen.tsx';
import { isMissing, loadData } from '../../lib/load-data.ts';
import '../../styles/payment-history.scss';
import { NotFoundPage } from '../../ui/not-found-page.tsx';
import type { Route } from './+types/payment.ts';

/** `null`: the account has no such payment. */
export async function clientLoader({ params: { paymentId } }: Route.ClientLoaderArgs) {
  try {
    return await loadData<ListedPayment>('payment', { params: { paymentId } });
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
}

export default function PaymentPage({ loaderData: payment }: Route.ComponentProps) {
  return payment ? <ReceiptScreen payment={payment} /> : <NotFoundPage />;
}
