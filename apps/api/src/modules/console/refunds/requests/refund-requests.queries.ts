import type { RefundReason } from '@brightpane/contract/office/refunds';
import { ADVISORY_LOCKS } from '../../../../db/advisory-locks.ts';
import type { Queryable } from '../../../../db/client.ts';
import { listOf, query } from '../../../../db/query.ts';
import type { RefundState } from '../../../../db/schema/refunds.ts';
import { partsOf } from '../../../../db/statements/line-sums.queries.ts';
import type { RequestedLine } from '../../../payments/refunds/request-refunds.queries.ts';

/** Serializes the requests of one person or key, so that limits count them one after another. */
export async function lockActor(tx: Queryable, actorId: string): Promise<void> {
  await query(tx)`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.refunds}, hashtext(${actorId}))`;
}

export type EarlierRequest = { requestId: string; requestHash: string; needsApproval: boolean };

export async function findRequest(
  tx: Queryable,
  { actorId, idemKey }: { actorId: string; idemKey: string },
): Promise<EarlierRequest | undefined> {
  const [row] = await query<EarlierRequest>(tx)`
    SELECT id AS "requestId", request_hash AS "requestHash", needs_approval AS "needsApproval"
      FROM refund_request WHERE actor = ${actorId} AND idem_key = ${idemKey}`;
  return row;
}

/** How many minutes ago the same refund of this payment was requested and still stands; null if it wasn't. */
export async function findSameAgain(
  tx: Queryable,
  { paymentId, lines }: { paymentId: string; lines: RequestedLine[] },
): Promise<number | null> {
  const asked = lines
    .toSorted((one, other) => one.invoiceId - other.invoiceId)
    .map((line) => {
      const { invoiceCents, taxCents, servicesCents, servicesTaxCents } = line;
      return `${line.invoiceId}/${invoiceCents + taxCents + servicesCents + servicesTaxCents}/${line.tipCents}`;
    });
  const [row] = await query<{ minutes: number }>(tx)`
    SELECT floor(extract(epoch FROM engine_now() - q.created_at) / 60)::integer AS minutes
      FROM refund_request q
     WHERE q.intent_id = ${paymentId} AND q.created_at > engine_now() - interval '10 minutes'
       AND (SELECT array_agg(concat_ws('/', l.invoice_id,
                     l.invoice_cents + l.tax_cents + l.services_cents + l.services_tax_cents, l.tip_cents)
                     ORDER BY l.invoice_id)
              FROM refund r JOIN refund_line l ON l.refund_id = r.id
             WHERE r.request_id = q.id AND refund_reserves(r.state, r.undone_at)) = ${listOf(asked, 'text')}
     ORDER BY q.created_at DESC LIMIT 1`;
  return row?.minutes ?? null;
}

/** What a franchise lets one person or key refund, and what this one has requested without an approval. */
export type Allowance = {
  franchiseId: number;
  limitCents: number;
  dayLimitCents: number;
  ofPaymentCents: number;
  ofDayCents: number;
};

/** Reads two days of requests, which cover a calendar day in any time zone. */
export async function listAllowances(
  tx: Queryable,
  { actorId, paymentId, franchiseIds }: { actorId: string; paymentId: string; franchiseIds: number[] },
): Promise<Allowance[]> {
  return query<Allowance>(tx)`
    SELECT f.id AS "franchiseId", f.refund_limit_cents AS "limitCents", f.refund_day_limit_cents AS "dayLimitCents",
           coalesce(asked.of_payment, 0)::bigint AS "ofPaymentCents", coalesce(asked.of_day, 0)::bigint AS "ofDayCents"
      FROM franchise f
      JOIN visible_franchise v ON v.franchise_id = f.id AND v.actor_id = ${actorId}
     CROSS JOIN LATERAL (
       SELECT sum(part.cents) FILTER (WHERE q.intent_id = ${paymentId}
                AND q.created_at > engine_now() - interval '24 hours') AS of_payment,
              sum(part.cents) FILTER (WHERE (q.created_at AT TIME ZONE f.time_zone)::date
                = (engine_now() AT TIME ZONE f.time_zone)::date) AS of_day
         FROM refund_request q
         JOIN refund r ON r.request_id = q.id AND refund_reserves(r.state, r.undone_at)
         JOIN refund_line l ON l.refund_id = r.id
         JOIN invoice i ON i.id = l.invoice_id AND i.franchise_id = f.id
        CROSS JOIN LATERAL (
          SELECT ${partsOf('l')} AS cents) AS part
        WHERE q.actor = ${actorId} AND NOT q.needs_approval
          AND q.created_at > (SELECT engine_now()) - interval '2 days') AS asked
     WHERE f.id = ANY(${listOf(franchiseIds, 'integer')})`;
}

export type OldRefund = {
  paymentId: string;
  state: RefundState;
  isClosed: boolean;
  wasSentAgain: boolean;
  reason: RefundReason;
  note: string | null;
  chargeId: string;
  lines: RequestedLine[];
};

/** A failed refund, as it is to be requested again. Returned whole; the caller must see all of it. */
export async function findOldRefund(
  tx: Queryable,
  { refundId }: { refundId: string },
): Promise<OldRefund | undefined> {
  const [row] = await query<OldRefund>(tx)`
    SELECT q.intent_id AS "paymentId", r.state, r.closed_at IS NOT NULL AS "isClosed",
           EXISTS (SELECT FROM refund again WHERE again.retry_of = r.id) AS "wasSentAgain",
           q.reason, q.note, r.charge_id AS "chargeId",
           (SELECT json_agg(json_build_object(
                     'invoiceId', l.invoice_id, 'invoiceCents', l.invoice_cents, 'taxCents', l.tax_cents,
                     'servicesCents', l.services_cents, 'servicesTaxCents', l.services_tax_cents,
                     'tipCents', l.tip_cents, 'effect', l.effect, 'nothingDue', l.nothing_due) ORDER BY l.invoice_id)
              FROM refund_line l WHERE l.refund_id = r.id) AS lines
      FROM refund r JOIN refund_request q ON q.id = r.request_id
     WHERE r.id = ${refundId}`;
  return row;
}

/** People who may approve a request: they see all of its franchises and didn't make it. */
export async function listApprovers(
  tx: Queryable,
  { franchiseIds, actorId, roles }: { franchiseIds: number[]; actorId: string; roles: string[] },
): Promise<string[]> {
  const rows = await query<{ email: string }>(tx)`
    SELECT u.email FROM staff s JOIN app_user u ON u.id = s.user_id
     WHERE s.state = 'active' AND s.id <> ${actorId} AND s.role = ANY(${listOf(roles, 'text')})
       AND NOT EXISTS (
         SELECT FROM unnest(${listOf(franchiseIds, 'integer')}) AS wanted (id)
          WHERE NOT EXISTS (SELECT FROM visible_franchise v WHERE v.actor_id = s.id AND v.franchise_id = wanted.id))
     ORDER BY u.email`;
  return rows.map(({ email }) => email);
}
