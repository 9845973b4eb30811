import type { RefundPage } from '@brightpane/contract/office/refunds';
import type { Queryable } from '../../../db/client.ts';
import { fail, ok } from '../../../http/result.ts';
import { findPayerAddress } from '../../payments/refunds/moves/refund-facts.queries.ts';
import {
  findRefundRow,
  selectRefundActs,
  selectRefundMails,
  selectRefundsOfRequest,
  selectUnclaimed,
} from './refund-rows.queries.ts';
import { presentRefundPage } from './refunds.presenter.ts';

/** A refund with its history and, while it is held, the decisions that a person may choose from. */
export async function readRefund(db: Queryable, asked: { actorId: string; refundId: string }) {
  const row = await findRefundRow(db, asked);
  if (!row) return fail('refund-not-found');
  const { refundId } = asked;
  const { requestId } = row;
  const requested = await selectRefundsOfRequest(db, { actorId: asked.actorId, requestId });
  const acts = await selectRefundActs(db, [refundId]);
  const mails = await selectRefundMails(db, refundId);
  const candidates = row.state === 'held' ? await selectUnclaimed(db, asked) : [];
  const payerEmail = await findPayerAddress(db, row.paymentId);
  return ok<RefundPage>(presentRefundPage(row, { requested, acts, mails, candidates, payerEmail }));
}
