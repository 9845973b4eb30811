import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { franchise, invoice, location } from '../../db/schema/franchises.ts';
import { preparedList } from '../../db/statements/prepared-list.ts';
import { isUncounted, type Uncounted } from '../limits/limits.queries.ts';
import type { PaymentWay } from './payment-names.ts';
import { isRefunded, refundedCash } from './refunded.queries.ts';

export type PaymentRow = {
  id: string;
  paidAt: string;
  amountCents: number;
  /** The part of the amount that the payer added, without its tax. */
  servicesCents: number;
  tipCents: number;
  way: PaymentWay;
};

/** An invoice's collected charges, money the office received, and refunds; oldest first. */
const payments = sql<PaymentRow[]>`(
  SELECT coalesce(json_agg(json_build_object(
           'id', p.id, 'paidAt', p.paid_at, 'amountCents', p.amount_cents,
           'servicesCents', p.services_cents, 'tipCents', p.tip_cents, 'way', p.way)
           ORDER BY p.paid_at, p.id), '[]')
    FROM (SELECT c.id::text AS id, c.accepted_at AS paid_at,
                 a.invoice_cents + a.tax_cents + a.services_cents + a.services_tax_cents + a.tip_cents AS amount_cents,
                 a.services_cents, a.tip_cents, 'card' AS way
            FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
           WHERE a.invoice_id = ${invoice.id} AND charge_counts(c.state)
          UNION ALL
          SELECT e.id::text, e.created_at,
                 CASE e.direction WHEN 'credit' THEN e.amount_cents ELSE -e.amount_cents END, 0, 0, 'office'
            FROM ledger_entry e
           WHERE e.invoice_id = ${invoice.id} AND e.charge_id IS NULL AND e.account = 'receivable'
          UNION ALL
          SELECT 'refund:' || r.id || ':' || ${invoice.workOrderNumber}, r.made_at, -(${refundedCash}), -l.services_cents,
                 -l.tip_cents,
                 CASE WHEN (l.invoice_cents, l.tax_cents, l.services_cents, l.services_tax_cents) = (0, 0, 0, 0)
                      THEN 'tip-refund' ELSE 'refund' END
            FROM refund_line l JOIN refund r ON r.id = l.refund_id
           WHERE l.invoice_id = ${invoice.id} AND ${isRefunded}) p)`;

/** What is left, after refunds, of a sum that payers added to an invoice, per accepted charge. */
const additions = (column: 'services_cents' | 'tip_cents') => sql<number[]>`(
  SELECT coalesce(json_agg(kept.cents ORDER BY kept.at) FILTER (WHERE kept.cents <> 0), '[]')
    FROM (SELECT c.accepted_at AS at,
                 a.${sql.raw(column)} - coalesce((
                   SELECT sum(l.${sql.raw(column)}) FROM refund_line l JOIN refund r ON r.id = l.refund_id
                    WHERE l.invoice_id = a.invoice_id AND l.charge_id = a.charge_id AND ${isRefunded}), 0) AS cents
            FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
           WHERE a.invoice_id = ${invoice.id} AND charge_counts(c.state) AND a.${sql.raw(column)} <> 0) AS kept)`;

/** The client key for entering cards for this invoice: the franchise's own, else the portal's. */
const publicKey = sql<string | null>`(
  SELECT m.public_key FROM merchant_account m
   WHERE m.replaced_at IS NULL AND (m.franchise_id = ${invoice.franchiseId} OR m.franchise_id IS NULL)
   ORDER BY m.franchise_id NULLS LAST LIMIT 1)`;

const columns = {
  documentId: invoice.documentId,
  franchiseId: invoice.franchiseId,
  franchiseName: franchise.name,
  franchisePhone: franchise.phone,
  timeZone: franchise.timeZone,
  workOrderNumber: invoice.workOrderNumber,
  service: invoice.service,
  amountCents: invoice.amountCents,
  balanceCents: invoice.balanceCents,
  taxCents: invoice.taxCents,
  paidTaxCents: invoice.paidTaxCents,
  taxRatePpm: invoice.taxRatePpm,
  dueDate: invoice.dueDate,
  completedDate: invoice.completedDate,
  tipsEnabled: invoice.tipsEnabled,
  version: invoice.version,
  formerCustomerId: invoice.formerCustomerId,
  locationId: location.id,
  addressLine1: location.addressLine1,
  city: location.city,
  state: location.state,
  publicKey,
  payments,
  services: additions('services_cents'),
  tips: additions('tip_cents'),
};

function selectInvoices(db: Queryable, where: SQL | undefined) {
  return db
    .select(columns)
    .from(invoice)
    .innerJoin(location, eq(location.id, invoice.locationId))
    .innerJoin(franchise, eq(franchise.id, invoice.franchiseId))
    .where(where);
}

/** An invoice with everything that answers contain. */
export type InvoiceRow = Awaited<ReturnType<typeof selectInvoices>>[number];

type Numbers = { franchiseId: number; workOrderNumber: number; zipKey: string };

const hasThreeNumbers = and(
  eq(invoice.franchiseId, sql.placeholder('franchiseId')),
  eq(invoice.workOrderNumber, sql.placeholder('workOrderNumber')),
  eq(location.zipKey, sql.placeholder('zipKey')),
);

const findByThreeNumbers = preparedList<InvoiceRow>('find_invoice_by_three_numbers', {
  columns,
  build: (db) => selectInvoices(db, hasThreeNumbers),
});

export async function findInvoiceByThreeNumbers(
  db: Queryable,
  numbers: Numbers,
): Promise<InvoiceRow | undefined> {
  const [row] = await findByThreeNumbers(db, numbers);
  return row;
}

const findForUncounted = preparedList<InvoiceRow>('find_invoice_for_uncounted', {
  columns,
  build: (db) => selectInvoices(db, and(isUncounted, hasThreeNumbers)),
});

/** As above, but returns nothing for callers with counted misses. */
export async function findInvoiceForUncounted(
  db: Queryable,
  asked: Numbers & Uncounted,
): Promise<InvoiceRow | undefined> {
  const [row] = await findForUncounted(db, asked);
  return row;
}

/** Inlined, not bound, so that every plan can use the partial index of unpaid invoices. */
const isUnpaid = sql`${invoice.balanceCents} > 0`;

/** Leaves out invoices of a former customer of the location. */
const isOfPresentCustomer = sql`${invoice.formerCustomerId} IS NULL`;

const ofUser = sql`${isOfPresentCustomer} AND ${invoice.locationId} IN (
  SELECT v.location_id FROM visible_location v WHERE v.user_id = ${sql.placeholder('userId')})`;

const listUnpaid = preparedList<InvoiceRow>('list_unpaid_invoices', {
  columns,
  build: (db) =>
    selectInvoices(db, and(isUnpaid, ofUser)).orderBy(sql`${invoice.dueDate} NULLS LAST`, invoice.id),
});

/** Unpaid invoices of a user's locations, first due first. */
export function selectUnpaidInvoices(db: Queryable, userId: string): Promise<InvoiceRow[]> {
  return listUnpaid(db, { userId });
}

/** Paid invoices at a location, latest work first. */
export async function selectPaidInvoices(
  db: Queryable,
  { userId, locationId }: { userId: string; locationId: number },
): Promise<InvoiceRow[]> {
  return selectInvoices(
    db,
    and(
      eq(invoice.locationId, locationId),
      sql`NOT ${isUnpaid}`,
      isOfPresentCustomer,
      sql`EXISTS (SELECT FROM visible_location v WHERE v.user_id = ${userId} AND v.location_id = ${locationId})`,
    ),
  ).orderBy(sql`${invoice.completedDate} DESC NULLS LAST`, desc(invoice.id));
}
