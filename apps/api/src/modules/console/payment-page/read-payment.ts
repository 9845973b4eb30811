import type { Payment } from '@brightpane/contract/office/payments';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { selectNotes } from '../notes/notes.queries.ts';
import { selectRefundsOfPayment } from '../refunds/refund-rows.queries.ts';
import { listRefundable } from '../refunds/refundable.queries.ts';
import { presentPayment } from './payment-page.presenter.ts';
import { findPaymentPage, selectOtherPayments, selectPaymentMails } from './payment-page.queries.ts';

/** All that a caller may know of one payment. */
export async function readPayment(
  { db }: Pick<Deps, 'db'>,
  { caller, paymentId }: { caller: Pick<OfficeCaller, 'id'>; paymentId: string },
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
  return ok<Payment>(presentPayment(row, { mails, notes, others, refunds, refundable }));
}
