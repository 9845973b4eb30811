import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { isPastDeadline } from '../../db/clock/ahead.queries.ts';
import { listOf, query, unnest } from '../../db/query.ts';
import { isUncounted, type Uncounted } from '../limits/limits.queries.ts';
import { selectChargedAccount } from '../merchant-accounts/merchant-accounts.queries.ts';
import type { SealedAccount } from '../merchant-accounts/sealed-keys.ts';
import { isAcceptedSince } from '../terms/terms.queries.ts';

export type WorkOrderNumbers = { franchiseId: number; workOrderNumber: number };

export type ResolvedInvoice = WorkOrderNumbers & { invoiceId: number; accountId: number | null };

/** Limits a user to invoices at their own locations; any other invoice doesn't exist for them. */
const visibleTo = (userId: string | null) =>
  userId === null
    ? sql`true`
    : sql`i.former_customer_id IS NULL
       AND EXISTS (SELECT FROM visible_location v WHERE v.user_id = ${userId} AND v.location_id = i.location_id)`;

/**
 * Finds the invoices of work orders, before anything is locked. Searches the index once for each: as a join, the one plan
 * for all payments would read every invoice while there are only some thousands.
 */
export async function resolveInvoices(
  tx: Queryable,
  { workOrders, userId }: { workOrders: WorkOrderNumbers[]; userId: string | null },
): Promise<ResolvedInvoice[]> {
  return query<ResolvedInvoice>(tx, { plan: 'once' })`
    SELECT i.id AS "invoiceId", i.franchise_id AS "franchiseId", i.work_order_number AS "workOrderNumber",
           (${selectChargedAccount(sql`m.id`, sql`i.franchise_id`)}) AS "accountId"
      FROM ${unnest(workOrders, { franchiseId: 'integer', workOrderNumber: 'bigint' })}
           AS wanted (franchise_id, work_order_number)
     CROSS JOIN LATERAL (
       SELECT * FROM invoice
        WHERE franchise_id = wanted.franchise_id AND work_order_number = wanted.work_order_number OFFSET 0) AS i
     WHERE ${visibleTo(userId)}`;
}

/** Always locks in the order of ids, so that overlapping payments wait instead of deadlocking. */
export async function lockInvoices(tx: Queryable, invoiceIds: number[]): Promise<void> {
  await query(tx, { plan: 'once' })`
    SELECT FROM invoice WHERE id = ANY(${listOf(invoiceIds, 'bigint')}) ORDER BY id FOR UPDATE`;
}

/** An invoice with everything that its price, charge and receipt need. */
export type PayableInvoiceRow = WorkOrderNumbers & {
  invoiceId: number;
  locationId: number;
  balanceCents: number;
  taxCents: number;
  paidTaxCents: number;
  taxRatePpm: number;
  tipsEnabled: boolean;
  version: number;
  franchiseName: string;
  franchiseEmail: string | null;
  timeZone: string;
  maxCreditPercent: number;
  /** The account that a charge would use, with its stored, sealed keys. */
  account: SealedAccount | null;
  /** Whether this user accepted the terms for the location before. */
  legalAccepted: boolean;
};

const payableColumns = sql`
  i.id AS "invoiceId", i.franchise_id AS "franchiseId", i.work_order_number AS "workOrderNumber",
  i.location_id AS "locationId", i.balance_cents AS "balanceCents", i.tax_cents AS "taxCents",
  i.paid_tax_cents AS "paidTaxCents", i.tax_rate_ppm AS "taxRatePpm", i.tips_enabled AS "tipsEnabled",
  i.version, f.name AS "franchiseName", f.email AS "franchiseEmail", f.time_zone AS "timeZone",
  f.max_credit_percent AS "maxCreditPercent", (
    ${selectChargedAccount(sql`json_build_object('id', m.id, 'apiKey', m.api_key, 'pin', m.pin)`, sql`i.franchise_id`)}
  ) AS account`;

/** Run it in a later statement than the one that locked: an earlier snapshot may show an older balance. */
export async function readPayableInvoices(
  tx: Queryable,
  {
    invoiceIds,
    userId,
    askAgainSince,
  }: { invoiceIds: number[]; userId: string | null; askAgainSince: string | null },
): Promise<PayableInvoiceRow[]> {
  return query<PayableInvoiceRow>(tx, { plan: 'once' })`
    SELECT ${payableColumns},
           EXISTS (SELECT FROM user_location ul
                    WHERE ul.user_id = ${userId}::uuid AND ul.location_id = i.location_id
                      AND ${isAcceptedSince(askAgainSince)}) AS "legalAccepted"
      FROM invoice i JOIN franchise f ON f.id = i.franchise_id
     WHERE i.id = ANY(${listOf(invoiceIds, 'bigint')}) AND ${visibleTo(userId)}
     ORDER BY i.id`;
}

export type GuestInvoiceRow = Omit<PayableInvoiceRow, 'legalAccepted'> & {
  isZipRight: boolean;
  /** A payment of it is in progress. */
  isClaimed: boolean;
};

/**
 * The invoice named by a guest's payment, with all that decides what the guest may hear. Always one statement, so that
 * its time reveals nothing. With `uncounted`, returns nothing for callers with counted misses.
 */
export async function findGuestInvoice(
  db: Queryable,
  {
    franchiseId,
    workOrderNumber,
    zipKey,
    uncounted,
  }: WorkOrderNumbers & { zipKey: string | null; uncounted?: Uncounted },
): Promise<GuestInvoiceRow | undefined> {
  const mayAsk = uncounted ? isUncounted(uncounted) : sql`true`;
  const [row] = await query<GuestInvoiceRow>(db, { plan: 'once' })`
    SELECT ${payableColumns}, coalesce(l.zip_key = ${zipKey}::text, false) AS "isZipRight",
           EXISTS (SELECT FROM invoice_claim c JOIN payment_intent p ON p.id = c.intent_id
                    WHERE c.invoice_id = i.id AND c.state = 'live' AND NOT ${isPastDeadline('p.deadline_at')}) AS "isClaimed"
      FROM invoice i JOIN franchise f ON f.id = i.franchise_id JOIN location l ON l.id = i.location_id
     WHERE ${mayAsk} AND i.franchise_id = ${franchiseId} AND i.work_order_number = ${workOrderNumber}`;
  return row;
}
