import { type Cents, cents } from '@brightpane/money/cents';
import type { RefundParts } from '@brightpane/money/spread-refund';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../../db/client.ts';
import { listOf, onlyRow, query } from '../../../../db/query.ts';
import type { ChargeState } from '../../../../db/schema/payments.ts';
import { isMade, partsOf } from '../../../../db/statements/line-sums.queries.ts';
import { isOwnOrder } from '../../../payments/epoch/own-orders.queries.ts';
import { leaving } from '../../../payments/refunds/refunds-ahead.queries.ts';

export type Parts = RefundParts & { tipCents: Cents };

/** One work order of a payment, and what is left to refund. */
export type RefundableRow = {
  chargeId: string;
  chargeState: ChargeState;
  invoiceId: number;
  franchiseId: number;
  workOrderNumber: number;
  /** After refunds that were made. */
  left: Parts;
  /** After refunds requested or in progress, too. */
  free: Parts;
  /** Less what refunds of any payment will return of it. */
  overpaidCents: Cents;
  /**
   * Paid beyond the amount, less what refunds will return. More than what is overpaid if the office has copied a payer's
   * credit into the amount.
   */
  excessCents: number;
  /** Tax paid beyond the invoice's tax, less what refunds will return. */
  excessTaxCents: number;
  /** Paid beyond the amount, as long as no refund that will return it is made. */
  excessNowCents: number;
  overpaidNowCents: Cents;
  /** The dispute that bars refunds of the charge. */
  disputeId: string | null;
  isHeld: boolean;
};

const PARTS = ['invoice', 'tax', 'services', 'services_tax', 'tip'] as const;
const NAMES = {
  invoice: 'invoiceCents',
  tax: 'taxCents',
  services: 'servicesCents',
  services_tax: 'servicesTaxCents',
  tip: 'tipCents',
} as const;

const partsLess = (taken: 'reserved' | 'made') =>
  sql`json_build_object(${sql.join(
    PARTS.map(
      (part) =>
        sql`${sql.raw(`'${NAMES[part]}'`)}, ${sql.raw(`a.${part}_cents - coalesce(taken.${taken}_${part}, 0)`)}`,
    ),
    sql`, `,
  )})`;

const sums = (taken: 'reserved' | 'made', condition: SQL) =>
  sql.join(
    PARTS.map(
      (part) =>
        sql`${sql.raw(`sum(l.${part}_cents)`)} FILTER (WHERE ${condition}) AS ${sql.raw(`${taken}_${part}`)}`,
    ),
    sql`, `,
  );

/** Whether a caller sees any of a payment. */
export async function isPaymentSeen(
  db: Queryable,
  { paymentId, actorId }: { paymentId: string; actorId: string },
): Promise<boolean> {
  const rows = await query(db)`
    SELECT FROM payment_share s
      JOIN visible_franchise v ON v.franchise_id = s.franchise_id AND v.actor_id = ${actorId}
     WHERE s.intent_id = ${paymentId} LIMIT 1`;
  return rows.length > 0;
}

/** Whether one of these charges was begun at an address whose refunds this portal doesn't send. */
export async function isBegunElsewhere(
  db: Queryable,
  { chargeIds, publicUrl }: { chargeIds: string[]; publicUrl: string },
): Promise<boolean> {
  const rows = await query(db)`
    SELECT FROM charge c WHERE c.id = ANY(${listOf(chargeIds, 'uuid')}) AND NOT ${isOwnOrder(publicUrl)} LIMIT 1`;
  return rows.length > 0;
}

/** The work orders of a payment that a caller sees, by charge and invoice. */
export async function listRefundable(
  db: Queryable,
  { paymentId, actorId }: { paymentId: string; actorId: string },
): Promise<RefundableRow[]> {
  const rows = await query<RefundableRow>(db)`
    SELECT c.id AS "chargeId", c.state AS "chargeState", i.id AS "invoiceId", i.franchise_id AS "franchiseId",
           i.work_order_number AS "workOrderNumber", ${partsLess('made')} AS left, ${partsLess('reserved')} AS free,
           greatest(0, overpaid_cash(i) - leaving.cents - leaving.credit_cents) AS "overpaidCents",
           greatest(0, i.paid_cents + i.paid_elsewhere_cents - i.amount_cents - leaving.cents) AS "excessCents",
           i.paid_tax_cents - i.tax_cents - leaving.tax_cents AS "excessTaxCents",
           greatest(0, i.paid_cents + i.paid_elsewhere_cents - i.amount_cents) AS "excessNowCents",
           overpaid_cash(i) AS "overpaidNowCents",
           (SELECT d.id FROM dispute d WHERE d.charge_id = c.id AND d.outcome IS DISTINCT FROM 'won' LIMIT 1) AS "disputeId",
           EXISTS (SELECT FROM refund held WHERE held.charge_id = c.id AND held.state = 'held') AS "isHeld"
      FROM payment_share s
      JOIN visible_franchise v ON v.franchise_id = s.franchise_id AND v.actor_id = ${actorId}
      JOIN charge c ON c.id = s.charge_id
      JOIN charge_allocation a ON a.charge_id = c.id
      JOIN invoice i ON i.id = a.invoice_id AND i.franchise_id = s.franchise_id
     CROSS JOIN LATERAL (
       SELECT ${sums('reserved', sql`refund_reserves(r.state, r.undone_at)`)},
              ${sums('made', isMade('r'))}
         FROM refund_line l JOIN refund r ON r.id = l.refund_id
        WHERE l.charge_id = a.charge_id AND l.invoice_id = a.invoice_id) AS taken
     CROSS JOIN LATERAL ${leaving} AS leaving
     WHERE s.intent_id = ${paymentId}
     ORDER BY c.created_at, c.id, i.id`;
  return rows.map((row) => ({
    ...row,
    overpaidCents: cents(row.overpaidCents),
    overpaidNowCents: cents(row.overpaidNowCents),
  }));
}

/** The sum of refunds requested or in progress, over the franchises that a caller sees. */
export async function sumUnderWay(
  db: Queryable,
  { paymentId, actorId }: { paymentId: string; actorId: string },
): Promise<Cents> {
  const row = onlyRow(
    await query<{ sum: number }>(db)`
    SELECT coalesce(sum(${partsOf('l')}), 0)::bigint
             AS sum
      FROM refund_request q
      JOIN refund r ON r.request_id = q.id AND r.state <> 'made' AND refund_reserves(r.state, r.undone_at)
      JOIN refund_line l ON l.refund_id = r.id
      JOIN invoice i ON i.id = l.invoice_id
      JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${actorId}
     WHERE q.intent_id = ${paymentId}`,
  );
  return cents(row.sum);
}
