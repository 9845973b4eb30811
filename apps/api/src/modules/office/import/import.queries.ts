import { type SQL, sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '../../../db/advisory-locks.ts';
import type { Queryable } from '../../../db/client.ts';
import { listOf, onlyRow, query } from '../../../db/query.ts';
import { OFFICE_AMOUNT, OFFICE_TAX, STATED_NAMES, STATED_SET, statedOf } from './check/row-view.queries.ts';
import { bookPaidElsewhere } from './paid-elsewhere.queries.ts';

export async function lockImports(tx: Queryable): Promise<void> {
  await query(tx)`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.import})`;
}

const LAST_WORD_ON_LOCATIONS = sql`
  SELECT DISTINCT ON (franchise_id, location_number) * FROM import_row
   ORDER BY franchise_id, location_number, line DESC`;

/** Applies the file's franchises; its last statement wins. Marks rows of existing invoices of changed ones as updates. */
export async function upsertFranchises(tx: Queryable): Promise<void> {
  await markUpdates(
    tx,
    sql`
      INSERT INTO franchise (id, name, time_zone)
      SELECT r.franchise_id, r.franchise_name, r.time_zone
        FROM (SELECT DISTINCT ON (franchise_id) * FROM import_row ORDER BY franchise_id, line DESC) r
        LEFT JOIN franchise f ON f.id = r.franchise_id
       WHERE f.id IS NULL OR (f.name, f.time_zone) IS DISTINCT FROM (r.franchise_name, r.time_zone)
       ORDER BY r.franchise_id
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, time_zone = excluded.time_zone
      RETURNING id`,
    sql`r.franchise_id = changed.id`,
  );
}

/**
 * Applies the file's customers and locations; its last statement wins. Marks rows of existing invoices as updates if
 * either changed, and records locations that pass to another customer with the former one.
 */
export async function upsertPlaces(tx: Queryable): Promise<void> {
  await markUpdates(
    tx,
    sql`
      INSERT INTO customer (franchise_id, number, name, email)
      SELECT r.franchise_id, r.customer_number, r.customer_name, r.customer_email
        FROM (SELECT DISTINCT ON (franchise_id, customer_number) * FROM import_row
               ORDER BY franchise_id, customer_number, line DESC) r
        LEFT JOIN customer c ON c.franchise_id = r.franchise_id AND c.number = r.customer_number
       WHERE c.id IS NULL OR (c.name, c.email) IS DISTINCT FROM (r.customer_name, r.customer_email)
       ORDER BY r.franchise_id, r.customer_number
      ON CONFLICT (franchise_id, number) DO UPDATE SET name = excluded.name, email = excluded.email
      RETURNING franchise_id, number`,
    sql`r.franchise_id = changed.franchise_id AND r.customer_number = changed.number`,
  );
  await query(tx)`
    INSERT INTO import_move
    SELECT l.id, l.customer_id FROM (${LAST_WORD_ON_LOCATIONS}) r
      JOIN customer c ON c.franchise_id = r.franchise_id AND c.number = r.customer_number
      JOIN location l ON l.franchise_id = r.franchise_id AND l.number = r.location_number
     WHERE l.customer_id <> c.id`;
  // Without row counts, the planner takes the table for a large one.
  await query(tx)`ANALYZE import_move`;
  await markUpdates(
    tx,
    sql`
      INSERT INTO location
        (franchise_id, number, customer_id, description, address_line1, city, state, zip_code, zip_key)
      SELECT r.franchise_id, r.location_number, c.id,
             r.description, r.address_line1, r.city, r.state, r.zip_code, r.zip_key
        FROM (${LAST_WORD_ON_LOCATIONS}) r
        JOIN customer c ON c.franchise_id = r.franchise_id AND c.number = r.customer_number
        LEFT JOIN location l ON l.franchise_id = r.franchise_id AND l.number = r.location_number
       WHERE l.id IS NULL
          OR (l.customer_id, l.description, l.address_line1, l.city, l.state, l.zip_code, l.zip_key)
             IS DISTINCT FROM (c.id, r.description, r.address_line1, r.city, r.state, r.zip_code, r.zip_key)
       ORDER BY r.franchise_id, r.location_number
      ON CONFLICT (franchise_id, number) DO UPDATE SET
        customer_id = excluded.customer_id, description = excluded.description,
        address_line1 = excluded.address_line1, city = excluded.city, state = excluded.state,
        zip_code = excluded.zip_code, zip_key = excluded.zip_key
      RETURNING franchise_id, number`,
    sql`r.franchise_id = changed.franchise_id AND r.location_number = changed.number`,
  );
}

async function markUpdates(tx: Queryable, upsert: SQL, isOfRow: SQL): Promise<void> {
  await query(tx)`
    WITH changed AS (${upsert})
    UPDATE import_row r SET is_update = true FROM changed
     WHERE NOT r.is_update AND ${isOfRow}
       AND EXISTS (SELECT FROM invoice i
                    WHERE i.franchise_id = r.franchise_id AND i.work_order_number = r.work_order_number)`;
}

const PLACES_OF_ROW = sql`
  JOIN location l ON l.franchise_id = r.franchise_id AND l.number = r.location_number
  JOIN customer c ON c.franchise_id = r.franchise_id AND c.number = r.customer_number`;

/** A row may name a customer other than its location's present one; the invoice then stays that customer's. */
const FORMER_CUSTOMER = sql`nullif(c.id, l.customer_id)`;

export type Overpaid = { franchiseId: number; workOrderNumber: number; overpaidCents: number };

/** Inserts the invoices that don't exist yet. */
export async function insertInvoices(
  tx: Queryable,
  { importId }: { importId: string },
): Promise<{ created: number; overpaid: Overpaid[] }> {
  return onlyRow(
    await query<{ created: number; overpaid: Overpaid[] }>(tx)`
    WITH created AS (
      INSERT INTO invoice (franchise_id, work_order_number, location_id, ${STATED_NAMES}, amount_cents, tax_cents,
                           paid_elsewhere_cents, former_customer_id, import_id)
      SELECT r.franchise_id, r.work_order_number, l.id, ${statedOf('r')}, r.amount_cents, r.tax_cents,
             coalesce(r.paid_elsewhere_cents, 0), ${FORMER_CUSTOMER}, ${importId}::uuid
        FROM import_row r ${PLACES_OF_ROW}
       WHERE NOT EXISTS (SELECT FROM invoice i
                          WHERE i.franchise_id = r.franchise_id AND i.work_order_number = r.work_order_number)
       ORDER BY r.line
      RETURNING id, franchise_id, work_order_number, version,
                paid_elsewhere_cents AS received_cents, paid_elsewhere_cents - amount_cents AS overpaid_cents),
    booked AS (${bookPaidElsewhere(sql`created`)})
    SELECT count(*)::integer AS created, ${overpaidOf(sql`overpaid_cents > 0`)} AS overpaid FROM created`,
  );
}

const overpaidOf = (condition: SQL) => sql`
  coalesce(json_agg(json_build_object('franchiseId', franchise_id, 'workOrderNumber', work_order_number,
                                      'overpaidCents', overpaid_cents)
             ORDER BY franchise_id, work_order_number) FILTER (WHERE ${condition}), '[]')`;

/** Existing invoices with rows that differ from them. */
const DIFFERING = sql`
  import_row r ${PLACES_OF_ROW}
  JOIN invoice i ON i.franchise_id = r.franchise_id AND i.work_order_number = r.work_order_number
   AND (i.location_id, ${statedOf('i')}, ${OFFICE_AMOUNT}, ${OFFICE_TAX}, i.paid_elsewhere_cents, i.former_customer_id)
       IS DISTINCT FROM
       (l.id, ${statedOf('r')}, r.amount_cents, r.tax_cents,
        coalesce(r.paid_elsewhere_cents, i.paid_elsewhere_cents), ${FORMER_CUSTOMER})`;

/**
 * Invoices that the file doesn't mention, at locations that pass to another customer: those of the customer who leaves,
 * and those that the one who comes left behind before.
 */
const UNMENTIONED = sql`
  import_move m
  JOIN location l ON l.id = m.location_id
  JOIN invoice i ON i.location_id = l.id AND coalesce(i.former_customer_id, l.customer_id) = l.customer_id
   AND NOT EXISTS (SELECT FROM import_row r
                    WHERE r.franchise_id = i.franchise_id AND r.work_order_number = i.work_order_number)`;

/** Locks in the same order as payments do, so that the two never deadlock. */
export async function lockAffectedInvoices(tx: Queryable): Promise<void> {
  await query(tx)`
    SELECT count(*) FROM (
      SELECT FROM invoice
       WHERE id = ANY(ARRAY(SELECT i.id FROM ${DIFFERING} UNION ALL SELECT i.id FROM ${UNMENTIONED}))
       ORDER BY id FOR UPDATE) AS locked`;
}

/**
 * Where a location changes hands, leaves its invoices with the former customer, and gives the next one those back that it
 * had there before: a location that is corrected back has all its invoices again. They must be locked.
 */
export async function keepUnmentionedWithCustomers(tx: Queryable): Promise<void> {
  await query(tx)`
    UPDATE invoice SET former_customer_id = CASE WHEN invoice.former_customer_id IS NULL THEN move.former_customer_id END
      FROM import_move move
     WHERE move.location_id = invoice.location_id
       AND invoice.id = ANY(ARRAY(SELECT i.id FROM ${UNMENTIONED}))`;
}

/**
 * Updates the differing invoices, which must be locked. Card payments stay. Reports an invoice once each
 * time its overpayment grows.
 */
export async function updateInvoices(tx: Queryable): Promise<{ updated: number; overpaid: Overpaid[] }> {
  return onlyRow(
    await query<{ updated: number; overpaid: Overpaid[] }>(tx)`
    WITH differing AS MATERIALIZED (
      SELECT i.id, r.line, l.id AS location_id, ${statedOf('r')}, r.amount_cents, r.tax_cents,
             coalesce(r.paid_elsewhere_cents, i.paid_elsewhere_cents) AS paid_elsewhere_cents,
             i.paid_elsewhere_cents AS paid_elsewhere_before_cents,
             overpaid_cash(i) AS overpaid_before_cents,
             ${FORMER_CUSTOMER} AS former_customer_id
        FROM ${DIFFERING}),
    updated AS (
      UPDATE invoice i SET
        location_id = d.location_id, ${STATED_SET}, amount_cents = d.amount_cents, tax_cents = d.tax_cents,
        paid_elsewhere_cents = d.paid_elsewhere_cents,
        former_customer_id = d.former_customer_id
      FROM differing d
      WHERE i.id = d.id
      RETURNING i.id, d.line, i.franchise_id, i.work_order_number, i.version,
                d.paid_elsewhere_cents - d.paid_elsewhere_before_cents AS received_cents,
                overpaid_cash(i) AS overpaid_cents,
                d.overpaid_before_cents),
    booked AS (${bookPaidElsewhere(sql`updated`)}),
    marked AS (
      UPDATE import_row r SET is_update = true FROM updated u WHERE u.line = r.line AND NOT r.is_update
      RETURNING r.line)
    SELECT ((SELECT count(*) FROM import_row r WHERE r.is_update) + (SELECT count(*) FROM marked))::integer AS updated,
           ${overpaidOf(sql`overpaid_cents > overpaid_before_cents`)} AS overpaid
      FROM updated`,
  );
}

/** The mail addresses of these franchises; leaves out those without one. */
export async function findOfficeEmails(
  tx: Queryable,
  franchiseIds: number[],
): Promise<{ franchiseId: number; name: string; email: string }[]> {
  return query<{ franchiseId: number; name: string; email: string }>(tx)`
    SELECT id AS "franchiseId", name, email FROM franchise
     WHERE id = ANY(${listOf(franchiseIds, 'integer')}) AND email IS NOT NULL ORDER BY id`;
}
