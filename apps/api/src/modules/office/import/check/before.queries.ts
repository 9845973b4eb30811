import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../../db/client.ts';
import { query } from '../../../../db/query.ts';
import { bystandersOf, REACHED, REACHED_NAMES } from './bystanders.queries.ts';
import { inWrittenOrder, PLANNED } from './plan.queries.ts';
import {
  OFFICE_AMOUNT,
  OWNER_NUMBER,
  PLACES_OF_INVOICE,
  ROW_OF_BOOKS,
  statedOf,
} from './row-view.queries.ts';

/**
 * Saves what the import is about to change, until the transaction ends: each such invoice in the form of an import row.
 * For a new invoice, its existing office, customer and place, with nothing due. For a changed customer or place that no
 * mentioned invoice has, one of its own invoices.
 */
export async function rememberBefore(tx: Queryable): Promise<void> {
  await query(tx)`
    CREATE TEMPORARY TABLE import_office ON COMMIT DROP AS
    SELECT r.franchise_id, f.name, f.time_zone
      FROM (SELECT DISTINCT franchise_id FROM import_row) r LEFT JOIN franchise f ON f.id = r.franchise_id`;
  await inWrittenOrder(
    tx,
    () => query(tx)`
    CREATE TEMPORARY TABLE import_before ON COMMIT DROP AS
    WITH ${PLANNED.with}
    SELECT false AS is_created, ${REACHED}, ${ROW_OF_BOOKS}, ${OWNER_NUMBER} AS owner_number
      FROM ${PLANNED.from} ${PLACES_OF_INVOICE}
     WHERE ${PLANNED.changes}
    UNION ALL
    SELECT true, ${REACHED}, r.franchise_id, coalesce(fw.stored_name, fw.franchise_name), coalesce(fw.stored_zone, fw.time_zone),
           coalesce(c.number, r.customer_number), coalesce(c.name, r.customer_name),
           CASE WHEN c.id IS NULL THEN r.customer_email ELSE c.email END,
           r.location_number, coalesce(l.description, lw.description), coalesce(l.address_line1, lw.address_line1),
           coalesce(l.city, lw.city), coalesce(l.state, lw.state), coalesce(l.zip_code, lw.zip_code),
           r.work_order_number, ${statedOf('r')}, 0, 0, 0, ${OWNER_NUMBER}
      FROM ${PLANNED.from}
      LEFT JOIN location l ON l.id = lw.id
      LEFT JOIN customer c ON c.id = coalesce(l.customer_id, cw.id)
     WHERE i.id IS NULL
       AND (fw.is_changed AND fw.stored_name IS NOT NULL OR cw.is_changed AND cw.id IS NOT NULL
            OR lw.is_changed AND lw.id IS NOT NULL)`,
  );
  await query(tx)`ANALYZE import_before`;
  await query(tx)`
    INSERT INTO import_before
    SELECT false, NULL, NULL, NULL, ${ROW_OF_BOOKS}, ${OWNER_NUMBER}
      FROM ${bystandersOf(sql`import_before`)} AS bystander JOIN invoice i ON i.id = bystander.id ${PLACES_OF_INVOICE}`;
}

/** Stores what changed, with the invoices, customers and places as they are now, and whose the places are. */
export async function keepChanges(tx: Queryable, { importId }: { importId: string }): Promise<void> {
  await query(tx)`
    INSERT INTO office_import_change (import_id, invoice_id, is_created, before, after)
    SELECT ${importId}, change.invoice_id, change.is_created, change.before, change.after
      FROM (SELECT b.is_created, now.invoice_id, to_jsonb(b) - 'is_created' - ${REACHED_NAMES} AS before,
                   to_jsonb(now) - 'invoice_id' AS after
              FROM import_before b
             CROSS JOIN LATERAL (
               SELECT i.id AS invoice_id, ${ROW_OF_BOOKS}, ${OWNER_NUMBER} AS owner_number
                 FROM invoice i ${PLACES_OF_INVOICE}
                WHERE i.franchise_id = b.franchise_id AND i.work_order_number = b.work_order_number) AS now) AS change
     WHERE change.before <> change.after
     ORDER BY change.invoice_id`;
}

/** Stores the counts that each office sees of the import, and returns the offices. */
export async function keepCounts(
  tx: Queryable,
  { importId, overpaid }: { importId: string; overpaid: { franchiseId: number }[] },
): Promise<number[]> {
  const rows = await query<{ franchiseId: number }>(tx)`
    INSERT INTO office_import_count (import_id, franchise_id, started_at, created, updated, unchanged, overpaid,
                                     amount_before_cents, amount_after_cents, before, after)
    SELECT o.id, f.id, o.started_at, count(*) FILTER (WHERE i.import_id = o.id), count(*) FILTER (WHERE r.is_update),
           count(*) FILTER (WHERE i.import_id IS DISTINCT FROM o.id AND NOT r.is_update),
           coalesce((SELECT jsonb_agg(each) FROM jsonb_array_elements(${JSON.stringify(overpaid)}::jsonb) AS each
                      WHERE (each->>'franchiseId')::integer = f.id), '[]'),
           coalesce(sum(coalesce(b.amount_cents, ${OFFICE_AMOUNT})) FILTER (WHERE i.import_id IS DISTINCT FROM o.id), 0),
           sum(${OFFICE_AMOUNT}),
           jsonb_build_object('name', before.name, 'timeZone', before.time_zone),
           jsonb_build_object('name', f.name, 'timeZone', f.time_zone)
      FROM office_import o
     CROSS JOIN import_row r
      JOIN invoice i ON i.franchise_id = r.franchise_id AND i.work_order_number = r.work_order_number
      JOIN franchise f ON f.id = r.franchise_id
      JOIN import_office before ON before.franchise_id = f.id
      LEFT JOIN import_before b
        ON b.franchise_id = r.franchise_id AND b.work_order_number = r.work_order_number AND NOT b.is_created
     WHERE o.id = ${importId}
     GROUP BY o.id, f.id, before.name, before.time_zone
     ORDER BY f.id
    RETURNING franchise_id AS "franchiseId"`;
  return rows.map(({ franchiseId }) => franchiseId);
}
