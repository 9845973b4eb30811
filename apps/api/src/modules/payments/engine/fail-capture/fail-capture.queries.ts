import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../../db/client.ts';
import { query } from '../../../../db/query.ts';
import { partsOf } from '../../../../db/statements/line-sums.queries.ts';

/** Tells the payer's mail about a failed capture from the offices': their addresses may be the same, and may change. */
export const payersMailKey = (chargeId: string): string => `capture-failed:${chargeId}:payer`;

/** Whether a mail `m` of the kind `capture-failed` is the payer's. Older ones have no key. */
export const isToPayer: SQL = sql`coalesce(
  m.once_key LIKE 'capture-failed:%:payer'
  -- Only payers' addresses are ever blanked.
  OR m.recipient IN ('', (SELECT p.payer_email FROM payment_intent p WHERE p.id = m.intent_id)), false)`;

/** A work order of a payment, and whether it counts as unpaid again when a charge isn't collected. */
export type CapturedLine = {
  invoiceId: number;
  workOrderNumber: number;
  /** What the card was asked for. */
  amountCents: number;
  isUnpaid: boolean;
  /** What the charge would have paid of the invoice, services and tip left out. */
  ofInvoiceCents: number;
  /** As much of that as the invoice asks now: the office may have changed it, and others may have paid it. */
  dueCents: number;
  isOfThisCharge: boolean;
  franchiseEmail: string | null;
  reference: string;
};

export async function listLinesOfPayment(
  tx: Queryable,
  { intentId, chargeId }: { intentId: string; chargeId: string },
): Promise<CapturedLine[]> {
  return query<CapturedLine>(tx)`
    SELECT i.id AS "invoiceId", i.work_order_number AS "workOrderNumber", c.reference, f.email AS "franchiseEmail",
           ${partsOf('a')} AS "amountCents",
           a.invoice_cents + a.tax_cents AS "ofInvoiceCents",
           least(i.balance_cents, a.invoice_cents + a.tax_cents) AS "dueCents",
           NOT charge_counts(c.state) AS "isUnpaid", c.id = ${chargeId} AS "isOfThisCharge"
      FROM charge c
      JOIN charge_allocation a ON a.charge_id = c.id
      JOIN invoice i ON i.id = a.invoice_id
      JOIN franchise f ON f.id = i.franchise_id
     WHERE c.intent_id = ${intentId}
     ORDER BY i.work_order_number`;
}
