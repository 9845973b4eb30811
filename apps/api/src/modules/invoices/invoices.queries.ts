import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { inOnePiece, query } from '../../db/query.ts';
import { partsOf } from '../../db/statements/line-sums.queries.ts';
import { isUncounted, type Uncounted } from '../limits/limits.queries.ts';
import { selectChargedAccount } from '../merchant-accounts/merchant-accounts.queries.ts';
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
const payments = sql`(
  SELECT coalesce(json_agg(json_build_object(
           'id', p.id, 'paidAt', p.paid_at, 'amountCents', p.amount_cents,
           'servicesCents', p.services_cents, 'tipCents', p.tip_cents, 'way', p.way)
           ORDER BY p.paid_at, p.id), '[]')
    FROM (SELECT c.id::text AS id, c.accepted_at AS paid_at,
                 ${partsOf('a')} AS amount_cents,
                 a.services_cents, a.tip_cents, 'card' AS way
            FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
           WHERE a.invoice_id = i.id AND charge_counts(c.state)
          UNION ALL
          SELECT e.id::text, e.created_at,
                 CASE e.direction WHEN 'credit' THEN e.amount_cents ELSE -e.amount_cents END, 0, 0, 'office'
            FROM ledger_entry e
           WHERE e.invoice_id = i.id AND e.charge_id IS NULL AND e.account = 'receivable'
          UNION ALL
          SELECT 'refund:' || r.id || ':' || i.work_order_number, r.made_at, -(${refundedCash}), -l.services_cents,
                 -l.tip_cents,
                 CASE WHEN (l.invoice_cents, l.tax_cents, l.services_cents, l.services_tax_cents) = (0, 0, 0, 0)
                      THEN 'tip-refund' ELSE 'refund' END
            FROM refund_line l JOIN refund r ON r.id = l.refund_id
           WHERE l.invoice_id = i.id AND ${isRefunded}) p)`;

/** What is left, after refunds, of a sum that payers added to an invoice, per accepted charge. */
const additions = (column: 'services_cents' | 'tip_cents') => sql`(
  SELECT coalesce(json_agg(kept.cents ORDER BY kept.at) FILTER (WHERE kept.cents <> 0), '[]')
    FROM (SELECT c.accepted_at AS at,
                 a.${sql.raw(column)} - coalesce((
                   SELECT sum(l.${sql.raw(column)}) FROM refund_line l JOIN refund r ON r.id = l.refund_id
                    WHERE l.invoice_id = a.invoice_id AND l.charge_id = a.charge_id AND ${isRefunded}), 0) AS cents
            FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
           WHERE a.invoice_id = i.id AND charge_counts(c.state) AND a.${sql.raw(column)} <> 0) AS kept)`;

/** The client key for entering cards for this invoice. */
const publicKey = sql`(${selectChargedAccount(sql`m.public_key`, sql`i.franchise_id`)})`;

/** An invoice with everything that answers contain. */
export type InvoiceRow = {
  documentId: string;
  franchiseId: number;
  franchiseName: string;
  franchisePhone: string | null;
  timeZone: string;
  workOrderNumber: number;
  service: string;
  amountCents: number;
  balanceCents: number;
  taxCents: number;
  paidTaxCents: number;
  taxRatePpm: number;
  dueDate: string | null;
  completedDate: string | null;
  tipsEnabled: boolean;
  version: number;
  formerCustomerId: number | null;
  locationId: number;
  addressLine1: string;
  city: string;
  state: string;
  publicKey: string | null;
  payments: PaymentRow[];
  services: number[];
  tips: number[];
};

const invoices = inOnePiece(sql`
  SELECT i.document_id AS "documentId", i.franchise_id AS "franchiseId", f.name AS "franchiseName",
         f.phone AS "franchisePhone", f.time_zone AS "timeZone", i.work_order_number AS "workOrderNumber", i.service,
         i.amount_cents AS "amountCents", i.balance_cents AS "balanceCents", i.tax_cents AS "taxCents",
         i.paid_tax_cents AS "paidTaxCents", i.tax_rate_ppm AS "taxRatePpm", i.due_date AS "dueDate",
         i.completed_date AS "completedDate", i.tips_enabled AS "tipsEnabled", i.version,
         i.former_customer_id AS "formerCustomerId", l.id AS "locationId", l.address_line1 AS "addressLine1", l.city,
         l.state, ${publicKey} AS "publicKey", ${payments} AS payments, ${additions('services_cents')} AS services,
         ${additions('tip_cents')} AS tips
    FROM invoice i
    JOIN location l ON l.id = i.location_id
    JOIN franchise f ON f.id = i.franchise_id`);

type Numbers = { franchiseId: number; workOrderNumber: number; zipKey: string };

const hasNumbers = ({ franchiseId, workOrderNumber, zipKey }: Numbers): SQL => sql`
  i.franchise_id = ${franchiseId} AND i.work_order_number = ${workOrderNumber} AND l.zip_key = ${zipKey}`;

export async function findInvoiceByThreeNumbers(
  db: Queryable,
  numbers: Numbers,
): Promise<InvoiceRow | undefined> {
  const [row] = await query<InvoiceRow>(db, { plan: 'once' })`${invoices} WHERE ${hasNumbers(numbers)}`;
  return row;
}

/** As above, but returns nothing for callers with counted misses. */
export async function findInvoiceForUncounted(
  db: Queryable,
  asked: Numbers & Uncounted,
): Promise<InvoiceRow | undefined> {
  const [row] = await query<InvoiceRow>(db, { plan: 'once' })`
    ${invoices} WHERE ${isUncounted(asked)} AND ${hasNumbers(asked)}`;
  return row;
}

/** Inlined, not bound, so that every plan can use the partial index of unpaid invoices. */
const isUnpaid = sql`i.balance_cents > 0`;

/** Leaves out invoices of a former customer of the location. */
const isOfPresentCustomer = sql`i.former_customer_id IS NULL`;

/** Unpaid invoices of a user's locations, first due first. */
export async function selectUnpaidInvoices(db: Queryable, userId: string): Promise<InvoiceRow[]> {
  return query<InvoiceRow>(db, { plan: 'once' })`
    ${invoices}
     WHERE ${isUnpaid} AND ${isOfPresentCustomer} AND i.location_id IN (
       SELECT v.location_id FROM visible_location v WHERE v.user_id = ${userId})
     ORDER BY i.due_date NULLS LAST, i.id`;
}

/** Paid invoices at a location, latest work first. */
export async function selectPaidInvoices(
  db: Queryable,
  { userId, locationId }: { userId: string; locationId: number },
): Promise<InvoiceRow[]> {
  return query<InvoiceRow>(db)`
    ${invoices}
     WHERE i.location_id = ${locationId} AND NOT ${isUnpaid} AND ${isOfPresentCustomer}
       AND EXISTS (SELECT FROM visible_location v WHERE v.user_id = ${userId} AND v.location_id = ${locationId})
     ORDER BY i.completed_date DESC NULLS LAST, i.id DESC`;
}
