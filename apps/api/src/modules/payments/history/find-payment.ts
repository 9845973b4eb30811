import type { ListedPayment } from '@brightpane/contract/invoices/payment-history';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { selectPaymentLines } from './payment-lines.queries.ts';
import { presentPayments } from './present-payment.ts';

/** One payment, limited to what the account may see of it. */
export async function findPayment(deps: Deps, asked: { userId: string; paymentId: string }) {
  const [payment] = presentPayments(deps, await selectPaymentLines(deps.db.query, asked));
  return payment ? ok<ListedPayment>(payment) : fail('payment-not-found');
}
