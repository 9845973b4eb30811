import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import type { RowOfBooks } from '../import/check/present-row.ts';
import { PLACES_OF_INVOICE, ROW_OF_BOOKS } from '../import/check/row-view.queries.ts';

type Asked = { reader: Pick<OfficeCaller, 'id'>; importId: string };

/** Others change an office's name and time zone too, so these don't count as changed since. */
const OFFICE_COLUMNS = sql`ARRAY['franchise_name', 'time_zone']`;

/** A change stored before a column existed says nothing about it, so the column stays as it is now. */
const IS_AS_IMPORTED = sql`to_jsonb(now) @> (change.after - ${OFFICE_COLUMNS})`;

const NOTHING_DUE = sql`jsonb_build_object('amount_cents', 0, 'tax_cents', 0, 'paid_elsewhere_cents', 0)`;

/** Undoes what the import changed of an office's column, and keeps what others changed since. */
const keptUnlessImported = (column: 'franchise_name' | 'time_zone') => sql`
  CASE WHEN change.before->${column} = change.after->${column}
       THEN jsonb_build_object(${column}::text, to_jsonb(now)->${column}) ELSE '{}' END`;

/** Invoices that an import touched, with rows that undo it. An invoice that it created becomes zero due. */
const undoneBy = ({ reader, importId }: Asked, page: SQL): SQL => sql`
  SELECT own.id AS invoice_id, now.customer_number,
         CASE WHEN change.invoice_id IS NULL THEN to_jsonb(now) || ${NOTHING_DUE}
              ELSE to_jsonb(now) || change.before || ${keptUnlessImported('franchise_name')} || ${keptUnlessImported('time_zone')}
         END AS row,
         CASE WHEN change.invoice_id IS NULL
              THEN EXISTS (SELECT FROM office_import_change later
                            WHERE later.invoice_id = own.id AND later.import_id <> ${importId})
              ELSE NOT ${IS_AS_IMPORTED}
         END AS is_changed_since
    FROM (SELECT own.id FROM (
            SELECT invoice_id AS id FROM office_import_change WHERE import_id = ${importId}
            UNION SELECT id FROM invoice WHERE import_id = ${importId}) AS each
            JOIN invoice own ON own.id = each.id
            JOIN visible_franchise v ON v.franchise_id = own.franchise_id AND v.actor_id = ${reader.id} ${page}) AS own
   CROSS JOIN LATERAL (SELECT ${ROW_OF_BOOKS} FROM invoice i ${PLACES_OF_INVOICE} WHERE i.id = own.id) AS now
    LEFT JOIN office_import_change change ON change.import_id = ${importId} AND change.invoice_id = own.id`;

export async function countUndo(db: Queryable, asked: Asked): Promise<{ rows: number; leftOut: number }> {
  return onlyRow(
    await query<{ rows: number; leftOut: number }>(db)`
    SELECT (count(*) FILTER (WHERE NOT is_changed_since))::integer AS rows,
           (count(*) FILTER (WHERE is_changed_since))::integer AS "leftOut"
      FROM (${undoneBy(asked, sql``)}) AS undone`,
  );
}

export type UndoRow = {
  invoiceId: number;
  isChangedSince: boolean;
  row: RowOfBooks;
  /** Whether the row names the place's owner; otherwise importing it would give the place to another customer. */
  namesOwner: boolean;
  /** Whether its customer is unchanged. */
  keepsCustomer: boolean;
};

/** In the order of invoice ids; the last page is shorter than `limit`. */
export async function listUndo(
  db: Queryable,
  { after, limit, ...asked }: Asked & { after: number; limit: number },
): Promise<UndoRow[]> {
  return query<UndoRow>(db)`
    SELECT u.invoice_id AS "invoiceId", u.is_changed_since AS "isChangedSince", u.row,
           owner.number IS NOT DISTINCT FROM (u.row->>'customer_number')::bigint AS "namesOwner",
           u.customer_number = (u.row->>'customer_number')::bigint AS "keepsCustomer"
      FROM (${undoneBy(asked, sql`WHERE own.id > ${after} ORDER BY own.id LIMIT ${limit}`)}) AS u
      LEFT JOIN location place ON place.franchise_id = (u.row->>'franchise_id')::integer
                              AND place.number = (u.row->>'location_number')::bigint
      LEFT JOIN customer owner ON owner.id = place.customer_id
     ORDER BY u.invoice_id`;
}

/** For each place, a current invoice of the place's own customer. */
export async function listAnchors(
  db: Queryable,
  places: { franchiseId: number; locationNumber: number }[],
): Promise<RowOfBooks[]> {
  const rows = await query<{ row: RowOfBooks }>(db)`
    SELECT to_jsonb(anchor) AS row
      FROM jsonb_to_recordset(${JSON.stringify(places)}::jsonb) AS p ("franchiseId" integer, "locationNumber" bigint)
      JOIN location place ON place.franchise_id = p."franchiseId" AND place.number = p."locationNumber"
     CROSS JOIN LATERAL (
       SELECT ${ROW_OF_BOOKS} FROM invoice i ${PLACES_OF_INVOICE}
        WHERE i.location_id = place.id AND i.former_customer_id IS NULL ORDER BY i.id DESC LIMIT 1) AS anchor`;
  return rows.map(({ row }) => row);
}
