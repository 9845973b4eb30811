import type { RefundReason } from '@brightpane/contract/office/refunds';
import type { Parts } from '@brightpane/money/parts';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { instantText, listOf, query } from '../../../db/query.ts';
import type { RefundEffect, RefundMethod, RefundState, RefundWait } from '../../../db/schema/refunds.ts';
import type { MailKind } from '../../../mail/queue-mail.queries.ts';
import { actorName } from '../../acts/actor-names.queries.ts';
import { unowned } from '../../payments/refunds/refund-bars.queries.ts';
import {
  dependsOnAnother,
  leavingBefore,
  refundAhead,
} from '../../payments/refunds/refunds-ahead.queries.ts';

export type RefundLineRow = Parts & {
  franchiseId: number;
  workOrderNumber: number;
  effect: RefundEffect | null;
  nothingDue: boolean;
  /** Once it is booked; null if that was before it was stored. */
  fellDueCents: number | null;
  /** Paid on the invoice beyond its amount, now, less what refunds before this one will return. */
  excessCents: number;
  /** The refund of the invoice until whose end it waits to be sent. */
  behind: string | null;
};

export type RefundRow = {
  refundId: string;
  requestId: string;
  paymentId: string;
  chargeId: string;
  state: RefundState;
  method: RefundMethod | null;
  waitsFor: RefundWait | null;
  reason: RefundReason;
  note: string | null;
  actorId: string;
  requestedBy: string | null;
  requestedAt: string;
  approvedBy: string | null;
  approvedAt: string | null;
  madeAt: string | null;
  undoneAt: string | null;
  heldFor: string | null;
  providerWords: string | null;
  reference: string | null;
  brand: string | null;
  lastFour: string | null;
  retryOf: string | null;
  wasSentAgain: boolean;
  isSent: boolean;
  isClosed: boolean;
  isOwn: boolean;
  customerNumber: number;
  customerName: string;
  timeZone: string;
  /** Only of franchises that the caller sees. */
  lines: RefundLineRow[];
};

/**
 * Refunds with the lines that a caller sees, newest first; leaves out refunds without any. `OFFSET 0` looks each row up
 * by its key, however many rows the planner expects.
 */
async function selectRefunds(
  db: Queryable,
  actorId: string,
  source: SQL,
  /** Of this franchise alone, if given. */
  franchiseId: number | null = null,
): Promise<RefundRow[]> {
  return query<RefundRow>(db)`
    SELECT r.id AS "refundId", q.id AS "requestId", q.intent_id AS "paymentId", r.charge_id AS "chargeId", r.state,
           r.method, r.waits_for AS "waitsFor", q.reason, q.note, q.actor AS "actorId",
           ${actorName(sql`q.actor`)} AS "requestedBy", ${instantText(sql`q.created_at`)} AS "requestedAt",
           ${actorName(sql`q.approved_by`)} AS "approvedBy", ${instantText(sql`q.approved_at`)} AS "approvedAt",
           ${instantText(sql`r.made_at`)} AS "madeAt", ${instantText(sql`r.undone_at`)} AS "undoneAt",
           r.held_for AS "heldFor", r.provider_words AS "providerWords", r.reference, card.brand,
           card.last_four AS "lastFour", r.retry_of AS "retryOf", r.sent_at IS NOT NULL AS "isSent",
           r.closed_at IS NOT NULL AS "isClosed", q.actor = ${actorId} AS "isOwn",
           lines.customer_number AS "customerNumber", lines.customer_name AS "customerName", lines.time_zone AS "timeZone",
           (SELECT again.id FROM refund again WHERE again.retry_of = r.id) IS NOT NULL AS "wasSentAgain", lines.list AS lines
      FROM ${source} AS r
     CROSS JOIN LATERAL (SELECT * FROM refund_request WHERE id = r.request_id OFFSET 0) AS q
     CROSS JOIN LATERAL (
       SELECT json_agg(json_build_object(
                'franchiseId', i.franchise_id, 'workOrderNumber', i.work_order_number,
                'invoiceCents', l.invoice_cents, 'taxCents', l.tax_cents, 'servicesCents', l.services_cents,
                'servicesTaxCents', l.services_tax_cents, 'tipCents', l.tip_cents, 'effect', l.effect,
                'nothingDue', l.nothing_due, 'fellDueCents', l.fell_due_cents,
                'excessCents', CASE WHEN l.effect = 'due-again' AND r.state <> 'made'
                  THEN greatest(0, i.paid_cents + i.paid_elsewhere_cents - i.amount_cents - ${leavingBefore}) ELSE 0 END,
                'behind', CASE WHEN r.state = 'waiting' AND ${dependsOnAnother} THEN ${refundAhead} END) ORDER BY i.id) AS list,
              (array_agg(u.number ORDER BY i.id))[1] AS customer_number,
              (array_agg(u.name ORDER BY i.id))[1] AS customer_name,
              (array_agg(f.time_zone ORDER BY i.id))[1] AS time_zone
         FROM refund_line l
         JOIN invoice i ON i.id = l.invoice_id
         JOIN franchise f ON f.id = i.franchise_id
         JOIN location k ON k.id = i.location_id
         JOIN customer u ON u.id = coalesce(i.former_customer_id, k.customer_id)
         JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
        WHERE l.refund_id = r.id AND (${franchiseId}::integer IS NULL OR i.franchise_id = ${franchiseId})) AS lines
      LEFT JOIN LATERAL (
        SELECT s.brand, s.last_four FROM payment_share s WHERE s.charge_id = r.charge_id LIMIT 1) AS card ON true
     WHERE lines.list IS NOT NULL
     ORDER BY q.created_at DESC, r.id DESC`;
}

export async function findRefundRow(
  db: Queryable,
  { actorId, refundId }: { actorId: string; refundId: string },
): Promise<RefundRow | undefined> {
  return (await selectRefunds(db, actorId, sql`(SELECT * FROM refund WHERE id = ${refundId})`))[0];
}

export const selectRefundsOfRequest = (
  db: Queryable,
  { actorId, requestId }: { actorId: string; requestId: string },
) => selectRefunds(db, actorId, sql`(SELECT * FROM refund WHERE request_id = ${requestId})`);

export const selectRefundsOfPayment = (
  db: Queryable,
  { actorId, paymentId }: { actorId: string; paymentId: string },
) =>
  selectRefunds(
    db,
    actorId,
    sql`(SELECT own.* FROM refund_request asked JOIN refund own ON own.request_id = asked.id WHERE asked.intent_id = ${paymentId})`,
  );

export const selectRefundsOfInvoice = (
  db: Queryable,
  { actorId, invoiceId }: { actorId: string; invoiceId: number },
) =>
  selectRefunds(
    db,
    actorId,
    sql`(SELECT own.* FROM refund_line line JOIN refund own ON own.id = line.refund_id WHERE line.invoice_id = ${invoiceId})`,
  );

/** A list of one franchise shows what goes back there, as it was filtered. */
export const selectListedRefunds = (
  db: Queryable,
  {
    actorId,
    refundIds,
    franchiseId = null,
  }: { actorId: string; refundIds: string[]; franchiseId?: number | null | undefined },
) =>
  selectRefunds(
    db,
    actorId,
    sql`(SELECT own.* FROM unnest(${listOf(refundIds, 'uuid')}) AS wanted (id) CROSS JOIN LATERAL (SELECT * FROM refund WHERE id = wanted.id OFFSET 0) AS own)`,
    franchiseId,
  );

/** Whether the request, or one refund of it, also covers an office that the caller doesn't see. */
export async function hasHiddenLines(
  db: Queryable,
  { actorId, requestId, refundId = null }: { actorId: string; requestId: string; refundId?: string | null },
): Promise<boolean> {
  const rows = await query(db)`
    SELECT FROM refund r
      JOIN refund_line l ON l.refund_id = r.id
      JOIN invoice i ON i.id = l.invoice_id
     WHERE r.request_id = ${requestId} AND (${refundId}::uuid IS NULL OR r.id = ${refundId})
       AND NOT EXISTS (SELECT FROM visible_franchise v
                        WHERE v.actor_id = ${actorId} AND v.franchise_id = i.franchise_id)
     LIMIT 1`;
  return rows.length > 0;
}

export type RefundActRow = {
  refundId: string;
  at: string;
  by: string;
  action: string;
  from: string | null;
  to: string | null;
  note: string | null;
  method: RefundMethod | null;
  heldFor: string | null;
  words: string | null;
};

/** Acts on refunds, oldest first. Pass only refunds that the caller sees. */
export async function selectRefundActs(db: Queryable, refundIds: string[]): Promise<RefundActRow[]> {
  if (refundIds.length === 0) return [];
  const subjects = refundIds.map((id) => `refund ${id}`);
  return query<RefundActRow>(db)`
    SELECT split_part(subject, ' ', 2) AS "refundId", ${instantText(sql`at`)} AS at,
           coalesce(${actorName(sql`audit_event.actor_id`)}, actor) AS by, action,
           before ->> 'state' AS "from", after ->> 'state' AS "to", reason AS note, detail ->> 'method' AS method,
           detail ->> 'heldFor' AS "heldFor", detail ->> 'words' AS words
      FROM audit_event WHERE subject = ANY(${listOf(subjects, 'text')}) ORDER BY audit_event.at, id`;
}

export type RefundMailRow = { at: string; kind: MailKind; to: string };

/** Mail about a refund, except to others who may approve it. */
export async function selectRefundMails(db: Queryable, refundId: string): Promise<RefundMailRow[]> {
  return query<RefundMailRow>(db)`
    SELECT ${instantText(sql`created_at`)} AS at, kind, recipient AS "to"
      FROM outgoing_mail WHERE refund_id = ${refundId} AND kind <> 'refund-to-approve' ORDER BY created_at, id`;
}

export type CandidateRow = {
  transactionKey: string;
  amountCents: number;
  isVoided: boolean;
  /** It is the sale itself, which was voided or may have been, rather than a refund of it. */
  isSale: boolean;
  createdOn: string | null;
  clerk: string;
};

/**
 * The provider's refunds of this charge that none of ours owns; none if the caller doesn't see every office of the
 * charge, since the provider tells whole amounts.
 */
export async function selectUnclaimed(
  db: Queryable,
  { actorId, refundId }: { actorId: string; refundId: string },
): Promise<CandidateRow[]> {
  const isWhole = sql`
    NOT EXISTS (
      SELECT FROM payment_share own
       WHERE own.charge_id = c.id
         AND NOT EXISTS (SELECT FROM visible_franchise v
                          WHERE v.actor_id = ${actorId} AND v.franchise_id = own.franchise_id))`;
  // A restore may have lost the void; the provider is asked for it when somebody adopts it.
  const mayBeVoided = sql`(r.held_for = 'restored' AND r.amount_cents = c.amount_cents)`;
  return query<CandidateRow>(db)`
    SELECT s.transaction_key AS "transactionKey", s.amount_cents AS "amountCents", s.type = 'Z' AS "isVoided",
           false AS "isSale", ${instantText(sql`s.created_on`)} AS "createdOn", s.clerk
      FROM refund r JOIN charge c ON c.id = r.charge_id
     CROSS JOIN LATERAL ${unowned} AS s
     WHERE r.id = ${refundId} AND ${isWhole}
     UNION ALL
    SELECT c.transaction_key, c.amount_cents, r.held_for = 'voided-there', true, NULL, ''
      FROM refund r JOIN charge c ON c.id = r.charge_id
     WHERE r.id = ${refundId} AND c.transaction_key IS NOT NULL AND ${isWhole}
       AND c.state = 'captured' AND (r.held_for = 'voided-there' OR ${mayBeVoided})
     ORDER BY "createdOn", "transactionKey"`;
}

/** Closes a failed refund. False if it was closed before. */
export async function closeRefund(
  tx: Queryable,
  { refundId, note }: { refundId: string; note: string },
): Promise<boolean> {
  const rows = await query(tx)`
    UPDATE refund SET closed_at = engine_now(), closed_note = ${note}
     WHERE id = ${refundId} AND state IN ('refused', 'not_made') AND closed_at IS NULL RETURNING id`;
  return rows.length === 1;
}
