import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../../db/client.ts';
import { query } from '../../../../db/query.ts';
import { OFFICE_AMOUNT, OFFICE_TAX, statedOf } from './row-view.queries.ts';

/** The file's last statement about each office, customer and place, with what is stored and whether that changes. */
const WORDS = sql`
  franchise_word AS MATERIALIZED (
    SELECT w.franchise_id, w.franchise_name, w.time_zone, f.name AS stored_name, f.time_zone AS stored_zone,
           f.id IS NULL OR (f.name, f.time_zone) IS DISTINCT FROM (w.franchise_name, w.time_zone) AS is_changed
      FROM (SELECT DISTINCT ON (franchise_id) franchise_id, franchise_name, time_zone
              FROM import_row ORDER BY franchise_id, line DESC) w
      LEFT JOIN franchise f ON f.id = w.franchise_id),
  customer_word AS MATERIALIZED (
    SELECT w.*, c.id,
           c.id IS NULL OR (c.name, c.email) IS DISTINCT FROM (w.customer_name, w.customer_email) AS is_changed
      FROM (SELECT DISTINCT ON (franchise_id, customer_number)
                   franchise_id, customer_number, customer_name, customer_email
              FROM import_row ORDER BY franchise_id, customer_number, line DESC) w
      LEFT JOIN customer c ON c.franchise_id = w.franchise_id AND c.number = w.customer_number),
  location_word AS MATERIALIZED (
    SELECT w.*, l.id,
           l.id IS NULL
           OR (l.customer_id, l.description, l.address_line1, l.city, l.state, l.zip_code, l.zip_key)
              IS DISTINCT FROM
              (owner.id, w.description, w.address_line1, w.city, w.state, w.zip_code, w.zip_key) AS is_changed
      FROM (SELECT DISTINCT ON (franchise_id, location_number)
                   franchise_id, location_number, customer_number, description, address_line1, city, state, zip_code,
                   zip_key
              FROM import_row ORDER BY franchise_id, location_number, line DESC) w
      JOIN customer_word owner ON owner.franchise_id = w.franchise_id AND owner.customer_number = w.customer_number
      LEFT JOIN location l ON l.franchise_id = w.franchise_id AND l.number = w.location_number)`;

/**
 * Joins a file's rows with the existing invoices and tells whether the import would change each. Only reads. A property
 * test keeps it consistent with the import's own statements.
 */
export const PLANNED = {
  with: WORDS,
  from: sql`
    import_row r
    JOIN franchise_word fw ON fw.franchise_id = r.franchise_id
    JOIN customer_word cw ON cw.franchise_id = r.franchise_id AND cw.customer_number = r.customer_number
    JOIN location_word lw ON lw.franchise_id = r.franchise_id AND lw.location_number = r.location_number
    LEFT JOIN invoice i ON i.franchise_id = r.franchise_id AND i.work_order_number = r.work_order_number`,
  changes: sql`(
    fw.is_changed OR cw.is_changed OR lw.is_changed
    OR (i.location_id, ${statedOf('i')}, ${OFFICE_AMOUNT}, ${OFFICE_TAX}, i.paid_elsewhere_cents, i.former_customer_id)
       IS DISTINCT FROM
       (lw.id, ${statedOf('r')}, r.amount_cents, r.tax_cents, coalesce(r.paid_elsewhere_cents, i.paid_elsewhere_cents),
        CASE WHEN r.customer_number <> lw.customer_number THEN cw.id END))`,
};

/**
 * Runs a statement with `PLANNED` on this connection. Its words come first, as written: where the stored tables were
 * never analyzed, as at an office's first import, Postgres expects one row of the join with them, and would then compare
 * each row of the file with each customer and each place of the file.
 */
export async function inWrittenOrder(connection: Queryable, run: () => Promise<unknown>): Promise<void> {
  await query(connection)`SET join_collapse_limit = 1`;
  await run();
  await query(connection)`RESET join_collapse_limit`;
}
