import type { Refund, RefundRequestAnswer } from '@brightpane/contract/office/refunds';
import type { Queryable } from '../../../db/client.ts';
import { findRefundRow, selectRefundsOfRequest } from './refund-rows.queries.ts';
import { presentRefund } from './refunds.presenter.ts';

/** A refund's current state, if the caller sees it. */
export async function showRefund(
  db: Queryable,
  asked: { actorId: string; refundId: string },
): Promise<Refund | undefined> {
  const row = await findRefundRow(db, asked);
  return row && presentRefund(row);
}

/** A request's current state. */
export async function showRequest(
  db: Queryable,
  { actorId, requestId, needsApproval }: { actorId: string; requestId: string; needsApproval: boolean },
): Promise<RefundRequestAnswer> {
  const rows = await selectRefundsOfRequest(db, { actorId, requestId });
  return { requestId, needsApproval, refunds: rows.map(presentRefund) };
}
