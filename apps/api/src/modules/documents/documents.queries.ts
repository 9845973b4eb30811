import { eq, sql } from 'drizzle-orm';
import { type Queryable, statement } from '../../db/client.ts';
import { franchise, invoice, location } from '../../db/schema/franchises.ts';
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
const payments = sql<DocumentPaymentRow[]>`(
  SELECT coalesce(json_agg(json_build_object(
           'paidAt', p.paid_at, 'method', p.method, 'invoiceCents', p.invoice_cents,
           'servicesCents', p.services_cents, 'servicesTaxCents', p.services_tax_cents, 'tipCents', p.tip_cents)
           ORDER BY p.paid_at, p.id), '[]')
    FROM (SELECT c.id::text AS id, c.accepted_at AS paid_at, 'card' AS method,
                 a.invoice_cents + a.tax_cents AS invoice_cents, a.services_cents, a.services_tax_cents, a.tip_cents
            FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
           WHERE a.invoice_id = ${invoice.id} AND charge_counts(c.state)
          UNION ALL
          SELECT e.id::text, e.created_at, 'office',
                 CASE e.direction WHEN 'credit' THEN e.amount_cents ELSE -e.amount_cents END, 0, 0, 0
            FROM ledger_entry e
           WHERE e.invoice_id = ${invoice.id} AND e.charge_id IS NULL AND e.account = 'receivable'
          UNION ALL
          SELECT r.id::text, r.made_at, 'refund', -(l.invoice_cents + l.tax_cents), -l.services_cents,
                 -l.services_tax_cents, -l.tip_cents
            FROM refund_line l JOIN refund r ON r.id = l.refund_id
           WHERE l.invoice_id = ${invoice.id} AND ${isRefunded}) p)`;

const documentById = statement((db) =>
  db
    .select({
      franchiseId: invoice.franchiseId,
      franchiseName: franchise.name,
      franchisePhone: franchise.phone,
      franchiseAddress: franchise.address,
      timeZone: franchise.timeZone,
      addressLine1: location.addressLine1,
      city: location.city,
      state: location.state,
      zipCode: location.zipCode,
      zipKey: location.zipKey,
      workOrderNumber: invoice.workOrderNumber,
      service: invoice.service,
      amountCents: invoice.amountCents,
      taxCents: invoice.taxCents,
      officeAmountCents: invoice.officeAmountCents,
      officeTaxCents: invoice.officeTaxCents,
      taxRatePpm: invoice.taxRatePpm,
      balanceCents: invoice.balanceCents,
      dueDate: invoice.dueDate,
      completedDate: invoice.completedDate,
      payments,
    })
    .from(invoice)
    .innerJoin(location, eq(location.id, invoice.locationId))
    .innerJoin(franchise, eq(franchise.id, invoice.franchiseId))
    .where(eq(invoice.documentId, sql.placeholder('documentId')))
    .prepare('document_by_id'),
);

/**
 * Everything that a document shows. Names no customer, as a guest opens it with only the three numbers (decision 34).
 * `documentId` must be a UUID.
 */
export async function findDocument(db: Queryable, documentId: string): Promise<DocumentRow | undefined> {
  const [row] = await documentById(db).execute({ documentId });
  return row;
}

export type DocumentRow = Awaited<ReturnType<ReturnType<typeof documentById>['execute']>>[number];
