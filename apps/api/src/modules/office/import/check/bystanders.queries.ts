import { type SQL, sql } from 'drizzle-orm';

/** Columns of a planned row: its invoice, if there is one, and its customer and place where stored ones would change. */
export const REACHED = sql`
  i.id AS invoice_id, CASE WHEN cw.is_changed THEN cw.id END AS changed_customer_id,
  CASE WHEN lw.is_changed THEN lw.id END AS changed_location_id`;
export const REACHED_NAMES = sql`ARRAY['invoice_id', 'changed_customer_id', 'changed_location_id']`;

/**
 * A row that names a place's former customer gives the place to them, unless a later row names the owner. So skip a former
 * customer's invoice where the owner has none.
 */
const IS_CLEAR = sql`(i.former_customer_id IS NULL OR EXISTS (
  SELECT FROM invoice own WHERE own.location_id = i.location_id AND own.former_customer_id IS NULL))`;

/**
 * Ids of invoices that the file doesn't mention, but whose customer or place it changes: a row with a wrong number renames
 * another customer or moves another place. Finds one for each changed customer and place that no mentioned invoice has.
 * `rows` is a table with the columns of `REACHED`. Call before the file is applied.
 */
export const bystandersOf = (rows: SQL): SQL => sql`
  (WITH reached AS MATERIALIZED (
     SELECT coalesce(i.former_customer_id, l.customer_id) AS customer_id, l.id AS location_id
       FROM ${rows} AS r JOIN invoice i ON i.id = r.invoice_id JOIN location l ON l.id = i.location_id),
   changed_customer AS MATERIALIZED (
     SELECT DISTINCT r.changed_customer_id AS id FROM ${rows} AS r
      WHERE r.changed_customer_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM reached WHERE reached.customer_id = r.changed_customer_id)),
   changed_place AS MATERIALIZED (
     SELECT DISTINCT r.changed_location_id AS id FROM ${rows} AS r
      WHERE r.changed_location_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM reached WHERE reached.location_id = r.changed_location_id)),
   candidate AS (
     SELECT 'customer' AS shows, changed.id AS shown_id, i.id, i.location_id, i.former_customer_id
       FROM changed_customer changed
       JOIN location l ON l.customer_id = changed.id
       JOIN invoice i ON i.location_id = l.id AND i.former_customer_id IS NULL
     UNION ALL
     SELECT 'customer', changed.id, i.id, i.location_id, i.former_customer_id
       FROM changed_customer changed JOIN invoice i ON i.former_customer_id = changed.id
     UNION ALL
     SELECT 'place', changed.id, i.id, i.location_id, i.former_customer_id
       FROM changed_place changed JOIN invoice i ON i.location_id = changed.id)
   SELECT DISTINCT id FROM (
     SELECT DISTINCT ON (shows, shown_id) id FROM candidate i WHERE ${IS_CLEAR}
      ORDER BY shows, shown_id, former_customer_id IS NOT NULL, id DESC) AS chosen)`;
