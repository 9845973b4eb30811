import { randomInt } from 'node:crypto';
import { ofOffices, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import { wake } from '../../../jobs/wake.ts';
import { lockIntent } from '../engine/payments.queries.ts';
import { insertRequest, type RefundRequest } from './request-refunds.queries.ts';

/** Reserves the requested amounts, all or none, in the caller's transaction. */
export async function requestRefunds(
  tx: Queryable,
  request: RefundRequest,
): Promise<{ requestId: string; refunds: { refundId: string; amountCents: number }[] }> {
  await lockIntent(tx, request.intentId);
  const marked = { ...request, refunds: request.refunds.map((refund) => ({ ...refund, mark: newMark() })) };
  const made = await insertRequest(tx, marked);
  for (const { refundId, amountCents, state, franchiseIds } of made.refunds) {
    await recordAct(tx, request.actor, {
      action: 'refund: request',
      subject: `refund ${refundId}`,
      ...ofOffices(franchiseIds),
      detail: { paymentId: request.intentId, amountCents },
      after: { state },
      reason: request.note ?? undefined,
    });
  }
  if (!request.needsApproval) wake(tx, 'sweep-refunds');
  return made;
}

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';
const MARK_LENGTH = 23;

const newMark = () =>
  `r${Array.from({ length: MARK_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;
