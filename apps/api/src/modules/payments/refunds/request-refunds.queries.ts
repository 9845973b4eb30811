import { sql } from 'drizzle-orm';
import type { Actor } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import {
  type RefundEffect,
  type RefundReason,
  type RefundState,
  refund,
  refundLine,
  refundRequest,
} from '../../../db/schema/refunds.ts';

/** What is refunded of one work order. */
export type RequestedLine = {
  invoiceId: number;
  invoiceCents: number;
  taxCents: number;
  servicesCents: number;
  servicesTaxCents: number;
  tipCents: number;
  effect: RefundEffect | null;
  /** The requester was shown that nothing falls due. */
  nothingDue: boolean;
};

export type RefundRequest = {
  intentId: string;
  actor: Actor & { id: string };
  idemKey: string;
  requestHash: string;
  reason: RefundReason;
  note: string | null;
  needsApproval: boolean;
  /** One per charge. */
  refunds: { chargeId: string; lines: RequestedLine[]; retryOf?: string | undefined }[];
};

type Marked = Omit<RefundRequest, 'refunds'> & {
  refunds: (RefundRequest['refunds'][number] & { mark: string })[];
};

type Inserted = { refundId: string; amountCents: number; state: RefundState };

/** Inserts lines in the order of invoices, as payments lock them. */
export async function insertRequest(
  tx: Queryable,
  request: Marked,
): Promise<{ requestId: string; refunds: Inserted[] }> {
  const { actor, refunds, ...columns } = request;
  const totals = refunds.map(({ lines }) => lines.reduce((sum, line) => sum + sumOf(line), 0));
  const [row] = await tx
    .insert(refundRequest)
    .values({ ...columns, actor: actor.id, totalCents: totals.reduce((sum, total) => sum + total, 0) })
    .returning({ requestId: refundRequest.id });
  if (!row) throw new Error('no request');
  const { requestId } = row;
  const state = request.needsApproval ? 'requested' : 'waiting';
  const inserted: Inserted[] = [];
  for (const [index, { chargeId, lines, mark, retryOf }] of refunds.entries()) {
    const amountCents = totals[index] ?? 0;
    const [made] = await tx
      .insert(refund)
      .values({
        requestId,
        chargeId,
        amountCents,
        mark,
        state,
        retryOf: retryOf ?? null,
        ...(state === 'waiting' && { nextTryAt: sql`engine_now()` }),
      })
      .returning({ refundId: refund.id });
    if (!made) throw new Error('no refund');
    const { refundId } = made;
    const ordered = lines.toSorted((one, other) => one.invoiceId - other.invoiceId);
    await tx.insert(refundLine).values(ordered.map((line) => ({ ...line, refundId, chargeId })));
    inserted.push({ refundId, amountCents, state });
  }
  return { requestId, refunds: inserted };
}

const sumOf = (line: RequestedLine) =>
  line.invoiceCents + line.taxCents + line.servicesCents + line.servicesTaxCents + line.tipCents;
