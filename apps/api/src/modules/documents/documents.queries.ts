import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { query } from '../../db/query.ts';
import { isRefunded } from '../invoices/refunded.queries.ts';

export type DocumentPaymentRow = {
  /** With its UTC offset. */
  paidAt: string;
  method: 'card' | 'office' | 'refund';
  /** For the invoice itself, tax included. Negative for refunds, like the amounts below. */
  invoiceCents: number;
  servicesCents: number;
  servicesTaxCents: number;
  tipCents: number;
};

/** Collected charges by part, money the office received, and refunds; oldest first. */
const payments = sql`(
  SELECT coalesce(json_agg(json_build_object(
           'paidAt', p.paid_at, 'method', p.method, 'invoiceCents', p.invoice_cents,
           'servicesCents', p.services_cents, 'servicesTaxCents', p.services_tax_cents, 'tipCents', p.tip_cents)
           ORDER BY p.paid_at, p.id), '[]')
    FROM (SELECT c.id::text AS id, c.accepted_at AS paid_at, 'card' AS method,
                 a.invoice_cents + a.tax_cents AS invoice_cents, a.services_cents, a.services_tax_cents, a.tip_cents
            FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
           WHERE a.invoice_id = i.id AND charge_counts(c.state)
          UNION ALL
          SELECT e.id::text, e.created_at, 'office',
                 CASE e.direction WHEN 'credit' THEN e.amount_cents ELSE -e.amount_cents END, 0, 0, 0
            FROM ledger_entry e
           WHERE e.invoice_id = i.id AND e.charge_id IS NULL AND e.account = 'receivable'
          UNION ALL
          SELECT r.id::text, r.made_at, 'refund', -(l.invoice_cents + l.tax_cents), -l.services_cents,
                 -l.services_tax_cents, -l.tip_cents
            FROM refund_line l JOIN refund r ON r.id = l.refund_id
           WHERE l.invoice_id = i.id AND ${isRefunded}) p)`;

export type DocumentRow = {
  franchiseId: number;
  franchiseName: string;
  franchisePhone: string | null;
  franchiseAddress: string | null;
  timeZone: string;
  addressLine1: string;
  city: string;
  state: string;
  zipCode: string;
  zipKey: string | null;
  workOrderNumber: number;
  service: string;
  amountCents: number;
  taxCents: number;
  officeAmountCents: number | null;
  officeTaxCents: number | null;
  taxRatePpm: number;
  balanceCents: number;
  /** In cash: payers' credits don't count. */
  overpaidCents: number;
  dueDate: string | null;
  completedDate: string | null;
  payments: DocumentPaymentRow[];
};

/**
 * Everything that a document shows. Names no customer, as a guest opens it with only the three numbers (decision 34).
 * `documentId` must be a UUID.
 */
export async function findDocument(db: Queryable, documentId: string): Promise<DocumentRow | undefined> {
  const [row] = await query<DocumentRow>(db, { plan: 'once' })`
    SELECT i.franchise_id AS "franchiseId", f.name AS "franchiseName", f.phone AS "franchisePhone",
           f.address AS "franchiseAddress", f.time_zone AS "timeZone", l.address_line1 AS "addressLine1", l.city,
           l.state, l.zip_code AS "zipCode", l.zip_key AS "zipKey", i.work_order_number AS "workOrderNumber",
           i.service, i.amount_cents AS "amountCents", i.tax_cents AS "taxCents",
           i.office_amount_cents AS "officeAmountCents", i.office_tax_cents AS "officeTaxCents",
           i.tax_rate_ppm AS "taxRatePpm", i.balance_cents AS "balanceCents",
           overpaid_cash(i) AS "overpaidCents", i.due_date AS "dueDate",
           i.completed_date AS "completedDate", ${payments} AS payments
      FROM invoice i
      JOIN location l ON l.id = i.location_id
      JOIN franchise f ON f.id = i.franchise_id
     WHERE i.document_id = ${documentId}`;
  return row;
}
