import type { Payment } from '@brightpane/contract/office/payments';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { findPayerAddress } from '../../payments/refunds/moves/refund-facts.queries.ts';
import { selectNotes } from '../notes/notes.queries.ts';
import { selectRefundActs, selectRefundsOfPayment } from '../refunds/refund-rows.queries.ts';
import { listAllowances } from '../refunds/requests/refund-requests.queries.ts';
import { listRefundable } from '../refunds/requests/refundable.queries.ts';
import { presentPayment } from './payment-page.presenter.ts';
import { findPaymentPage, selectOtherPayments, selectPaymentMails } from './payment-page.queries.ts';

/** Everything that a caller may know about one payment. */
export async function readPayment(
  { db }: Pick<Deps, 'db'>,
  { caller, paymentId }: { caller: Pick<OfficeCaller, 'id' | 'rights'>; paymentId: string },
) {
  const asked = { paymentId, actorId: caller.id };
  const row = await findPaymentPage(db.query, asked);
  if (!row) return fail('not-found');
  const [mails, notes, others, refunds, refundable] = await Promise.all([
    selectPaymentMails(db.query, asked),
    selectNotes(db.query, { actorId: caller.id, subject: 'payment', subjectId: paymentId }),
    selectOtherPayments(db.query, asked),
    selectRefundsOfPayment(db.query, asked),
    listRefundable(db.query, asked),
  ]);
  const franchiseIds = [...new Set(row.shares.map(({ franchiseId }) => franchiseId))];
  const [acts, refundEmail, allowances] = await Promise.all([
    selectRefundActs(
      db.query,
      refunds.map(({ refundId }) => refundId),
    ),
    findPayerAddress(db.query, paymentId),
    caller.rights.has('refund') ? listAllowances(db.query, { ...asked, franchiseIds }) : [],
  ]);
  const found = { mails, notes, others, refunds, refundable, acts, allowances, refundEmail };
  return ok<Payment>(presentPayment(row, found));
}
