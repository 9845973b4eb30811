import type { Parts } from '@brightpane/money/parts';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { instantText, query } from '../../../db/query.ts';
import type { ChargeState } from '../../../db/schema/payments.ts';
import type { MailKind } from '../../../mail/queue-mail.queries.ts';
import { actorName } from '../../acts/actor-names.queries.ts';
import { isToPayer } from '../../payments/engine/fail-capture/fail-capture.queries.ts';
import type { StoredOutcome } from '../../payments/engine/outcomes.ts';
import { invoiceCustomer, refundedOf } from '../payments/share-readings.queries.ts';

export type LineRow = Parts & {
  workOrderNumber: number;
  customerNumber: number;
  customerName: string;
  address: string;
  service: string;
  /** What is due on its invoice now. */
  balanceCents: number;
  note: string | null;
  creditLookedAt: string | null;
  creditLookedBy: string | null;
  creditLookedNote: string | null;
};

export type PageShareRow = {
  chargeId: string;
  franchiseId: number;
  franchiseName: string;
  timeZone: string;
  isOwnAccount: boolean;
  outcome: 'accepted' | 'declined' | 'abandoned';
  amountCents: number;
  chargeState: ChargeState;
  brand: string | null;
  maskedCard: string | null;
  reference: string | null;
  orderId: string;
  decidedAt: string;
  acceptedAt: string | null;
  collectedAt: string | null;
  reversedAt: string | null;
  reviewSince: string | null;
  /** What headquarters decided about it, oldest first; `since` is missing from older decisions. */
  reviews: { action: string; at: string; since: string | null }[] | null;
  lines: LineRow[];
};

export type PaymentPageRow = {
  paymentId: string;
  kind: 'guest' | 'portal';
  startedAt: string;
  decidedAt: string | null;
  outcome: StoredOutcome | null;
  /** In fewer words, and all there is of a payment decided before outcomes were stored. */
  answerBefore: string | null;
  payerName: string | null;
  payerEmail: string | null;
  userId: string | null;
  /** Some shares belong to franchises that the caller doesn't see. */
  hasHiddenShares: boolean;
  shares: PageShareRow[];
};

/** The franchises of a payment that the caller sees. */
export async function listPaidFranchises(
  db: Queryable,
  { paymentId, actorId }: { paymentId: string; actorId: string },
): Promise<number[]> {
  const rows = await query<{ id: number }>(db)`
    SELECT DISTINCT s.franchise_id AS id FROM payment_share s
      JOIN visible_franchise v ON v.franchise_id = s.franchise_id AND v.actor_id = ${actorId}
     WHERE s.intent_id = ${paymentId} ORDER BY s.franchise_id`;
  return rows.map(({ id }) => id);
}

/** The lines of share `s`, each a `LineRow`. */
const SHARE_LINES = sql`
  SELECT json_agg(json_build_object(
           'workOrderNumber', i.work_order_number, 'customerNumber', u.number,
           'customerName', u.name,
           'address', concat_ws(', ', l.address_line1, l.city, concat_ws(' ', l.state, l.zip_code)),
           'service', i.service, 'invoiceCents', a.invoice_cents, 'taxCents', a.tax_cents,
           'servicesCents', a.services_cents, 'servicesTaxCents', a.services_tax_cents,
           'tipCents', a.tip_cents, 'balanceCents', i.balance_cents, 'note', a.services_note, 'creditLookedAt', look.at,
           'creditLookedBy', ${actorName(sql`look.actor_id`)}, 'creditLookedNote', look.note) ORDER BY i.id) AS list
    FROM charge_allocation a
    JOIN invoice i ON i.id = a.invoice_id AND i.franchise_id = s.franchise_id
    JOIN location l ON l.id = i.location_id
    JOIN customer u ON u.id = ${invoiceCustomer}
    LEFT JOIN credit_look look ON look.charge_id = a.charge_id AND look.invoice_id = a.invoice_id
   WHERE a.charge_id = s.charge_id`;

/** A payment with the shares that the caller sees; undefined if there are none. */
export async function findPaymentPage(
  db: Queryable,
  { paymentId, actorId }: { paymentId: string; actorId: string },
): Promise<PaymentPageRow | undefined> {
  const [row] = await query<PaymentPageRow>(db)`
    WITH share AS MATERIALIZED (
      SELECT s.* FROM payment_share s
        JOIN visible_franchise v ON v.franchise_id = s.franchise_id AND v.actor_id = ${actorId}
       WHERE s.intent_id = ${paymentId})
    SELECT p.id AS "paymentId", p.kind, ${instantText(sql`p.created_at`)} AS "startedAt",
           ${instantText(sql`p.decided_at`)} AS "decidedAt", p.outcome,
           p.response_body ->> 'detail' AS "answerBefore",
           nullif(trim(concat_ws(' ', u.first_name, u.last_name)), '') AS "payerName",
           coalesce(p.payer_email, CASE WHEN u.closed_at IS NULL THEN u.email END) AS "payerEmail", p.user_id AS "userId",
           (SELECT count(*) FROM payment_share s WHERE s.intent_id = p.id) > (SELECT count(*) FROM share)
             AS "hasHiddenShares",
           shares.list AS shares
      FROM payment_intent p
      LEFT JOIN app_user u ON u.id = p.user_id
     CROSS JOIN LATERAL (
       SELECT json_agg(json_build_object(
                'chargeId', c.id, 'franchiseId', f.id, 'franchiseName', f.name, 'timeZone', f.time_zone,
                'isOwnAccount', m.franchise_id IS NOT NULL, 'outcome', s.outcome, 'amountCents', s.amount_cents,
                'chargeState', c.state, 'brand', s.brand, 'maskedCard', c.masked_card, 'reference', c.reference,
                'orderId', c.order_id, 'decidedAt', s.at, 'acceptedAt', c.accepted_at, 'collectedAt', c.captured_at,
                'reversedAt', booked_back.at, 'reviewSince', c.review_since, 'reviews', reviews.list,
                'lines', lines.list)
                ORDER BY f.id, c.created_at, c.id) AS list
         FROM share s
         JOIN charge c ON c.id = s.charge_id
         JOIN franchise f ON f.id = s.franchise_id
         JOIN merchant_account m ON m.id = c.merchant_account_id
        CROSS JOIN LATERAL (${SHARE_LINES}) AS lines
        CROSS JOIN LATERAL (
          SELECT json_agg(json_build_object('action', e.action, 'at', e.at, 'since', e.detail ->> 'reviewSince')
                   ORDER BY e.at, e.id) AS list
            FROM audit_event e
           WHERE e.subject = 'charge ' || c.id AND e.action LIKE 'review: %') AS reviews
        CROSS JOIN LATERAL (
          SELECT min(e.created_at) AS at FROM ledger_entry e
           WHERE e.charge_id = c.id AND e.reason = 'reversal') AS booked_back) AS shares
     WHERE p.id = ${paymentId} AND shares.list IS NOT NULL`;
  return row;
}

/** Whether the recipient of mail `m` is the payer's own address, or was typed by people of the caller's offices. */
export const maySeeRecipient = (actorId: string) => sql`
  (m.franchise_id IS NULL OR EXISTS (
     SELECT FROM visible_franchise v WHERE v.franchise_id = m.franchise_id AND v.actor_id = ${actorId}))`;

export type PageMailRow = {
  mailId: string;
  kind: MailKind;
  to: string;
  state: string;
  at: string;
  isFailureToldToPayer: boolean;
};

/**
 * Mail to the payer, and to the caller's own offices; not to addresses that other offices typed or have, which would name
 * an office as paid in the same payment.
 */
export async function selectPaymentMails(
  db: Queryable,
  { paymentId, actorId }: { paymentId: string; actorId: string },
): Promise<PageMailRow[]> {
  return query<PageMailRow>(db)`
    SELECT m.id AS "mailId", m.kind, m.recipient AS to, ${instantText(sql`m.created_at`)} AS at,
           m.kind = 'capture-failed' AND ${isToPayer} AS "isFailureToldToPayer",
           CASE WHEN m.cancelled_at IS NOT NULL THEN 'canceled'
                WHEN m.sent_at IS NOT NULL THEN 'handed-to-the-mail-server'
                WHEN m.next_try_at IS NULL THEN 'given-up'
                WHEN m.refusals > 0 THEN 'refused' ELSE 'queued' END AS state
      FROM outgoing_mail m
     WHERE m.intent_id = ${paymentId} AND ${maySeeRecipient(actorId)}
       AND (m.kind NOT IN ('credit-note', 'capture-failed')
            OR (m.kind = 'capture-failed' AND ${isToPayer})
            OR EXISTS (
             SELECT FROM payment_share s
               JOIN visible_franchise v ON v.franchise_id = s.franchise_id AND v.actor_id = ${actorId}
               JOIN franchise f ON f.id = s.franchise_id
              WHERE s.intent_id = m.intent_id AND f.email = m.recipient))
       -- Older ones don't say whose refund they are about.
       AND (m.kind <> 'refund-to-approve' OR m.refund_id IS NOT NULL)
       AND (m.refund_id IS NULL OR EXISTS (
             SELECT FROM refund_line l
               JOIN invoice i ON i.id = l.invoice_id
               JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
              WHERE l.refund_id = m.refund_id))
     ORDER BY m.created_at, m.id LIMIT 100`;
}

export type OtherPaymentRow = {
  paymentId: string;
  at: string;
  outcome: PageShareRow['outcome'];
  chargeState: ChargeState;
  amountCents: number;
  refundedCents: number;
};

/** Other payments of the work orders that the caller sees in this one, newest first. */
export async function selectOtherPayments(
  db: Queryable,
  { paymentId, actorId }: { paymentId: string; actorId: string },
): Promise<OtherPaymentRow[]> {
  return query<OtherPaymentRow>(db)`
    SELECT other.intent_id AS "paymentId", ${instantText(sql`min(other.at)`)} AS at, min(other.outcome) AS outcome,
           -- Of several charges, show the one that went worst.
           (array_agg(c.state ORDER BY c.state IN ('reversing', 'capture_failed') DESC,
                                      c.state IN ('unresolved', 'conflict') DESC, c.id))[1] AS "chargeState",
           sum(other.amount_cents)::bigint AS "amountCents",
           sum(${refundedOf(sql`other`)})::bigint AS "refundedCents"
      FROM (
        SELECT DISTINCT theirs.charge_id, i.franchise_id
          FROM payment_share s
          JOIN visible_franchise v ON v.franchise_id = s.franchise_id AND v.actor_id = ${actorId}
          JOIN charge_allocation mine ON mine.charge_id = s.charge_id
          JOIN invoice i ON i.id = mine.invoice_id AND i.franchise_id = s.franchise_id
          JOIN charge_allocation theirs ON theirs.invoice_id = i.id AND theirs.charge_id <> mine.charge_id
         WHERE s.intent_id = ${paymentId}) AS found
      JOIN payment_share other ON other.charge_id = found.charge_id AND other.franchise_id = found.franchise_id
      JOIN charge c ON c.id = other.charge_id
     WHERE other.intent_id <> ${paymentId}
     GROUP BY other.intent_id ORDER BY min(other.at) DESC, other.intent_id LIMIT 100`;
}
