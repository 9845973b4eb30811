import type { RefundReason } from '@brightpane/contract/office/refunds';
import { sumOfParts } from '@brightpane/money/parts';
import type { Actor } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import { query, unnest } from '../../../db/query.ts';
import type { RefundEffect, RefundState } from '../../../db/schema/refunds.ts';

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

type Inserted = { refundId: string; amountCents: number; state: RefundState; franchiseIds: number[] };

/** Inserts lines in the order of invoices, as payments lock them. */
export async function insertRequest(
  tx: Queryable,
  request: Marked,
): Promise<{ requestId: string; refunds: Inserted[] }> {
  const { actor, refunds } = request;
  const totals = refunds.map(({ lines }) => lines.reduce((sum, line) => sum + sumOfParts(line), 0));
  const total = totals.reduce((sum, each) => sum + each, 0);
  const [row] = await query<{ requestId: string }>(tx)`
    INSERT INTO refund_request (intent_id, actor, idem_key, request_hash, reason, note, total_cents, needs_approval)
    VALUES (${request.intentId}, ${actor.id}, ${request.idemKey}, ${request.requestHash}, ${request.reason},
            ${request.note}, ${total}, ${request.needsApproval})
    RETURNING id AS "requestId"`;
  if (!row) throw new Error('no request');
  const { requestId } = row;
  const state = request.needsApproval ? 'requested' : 'waiting';
  const inserted: Inserted[] = [];
  for (const [index, { chargeId, lines, mark, retryOf }] of refunds.entries()) {
    const amountCents = totals[index] ?? 0;
    const [made] = await query<{ refundId: string }>(tx)`
      INSERT INTO refund (request_id, charge_id, amount_cents, mark, state, retry_of, next_try_at)
      VALUES (${requestId}, ${chargeId}, ${amountCents}, ${mark}, ${state}, ${retryOf ?? null},
              CASE WHEN ${state === 'waiting'} THEN engine_now() END)
      RETURNING id AS "refundId"`;
    if (!made) throw new Error('no refund');
    const { refundId } = made;
    const franchiseIds = await insertLines(tx, { refundId, chargeId, lines });
    inserted.push({ refundId, amountCents, state, franchiseIds });
  }
  return { requestId, refunds: inserted };
}

/** Returns the offices of the lines. */
async function insertLines(
  tx: Queryable,
  { refundId, chargeId, lines }: { refundId: string; chargeId: string; lines: RequestedLine[] },
): Promise<number[]> {
  const [row] = await query<{ franchiseIds: number[] }>(tx)`
    WITH added AS (
      INSERT INTO refund_line (refund_id, charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                               services_tax_cents, tip_cents, effect, nothing_due)
      SELECT ${refundId}::uuid, ${chargeId}::uuid, line.*
        FROM ${unnest(lines, {
          invoiceId: 'bigint',
          invoiceCents: 'bigint',
          taxCents: 'bigint',
          servicesCents: 'bigint',
          servicesTaxCents: 'bigint',
          tipCents: 'bigint',
          effect: 'text',
          nothingDue: 'boolean',
        })} AS line (invoice_id)
       ORDER BY line.invoice_id
      RETURNING invoice_id)
    SELECT json_agg(DISTINCT i.franchise_id) AS "franchiseIds" FROM added JOIN invoice i ON i.id = added.invoice_id`;
  return row?.franchiseIds ?? [];
}
