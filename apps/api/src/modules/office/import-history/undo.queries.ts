import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import type { RowOfBooks } from '../import/check/present-row.ts';
import { OWNER_NUMBER, PLACES_OF_INVOICE, ROW_OF_BOOKS } from '../import/check/row-view.queries.ts';

type Asked = { reader: Pick<OfficeCaller, 'id'>; importId: string };

/** Others change an office's name, its time zone and a place's owner too, so these don't count as changed since. */
const OTHERS_COLUMNS = sql`ARRAY['franchise_name', 'time_zone', 'owner_number']`;

/** A change stored before a column existed says nothing about it, so the column stays as it is now. */
const IS_AS_IMPORTED = sql`to_jsonb(now) @> (change.after - ${OTHERS_COLUMNS})`;

const NOTHING_DUE = sql`jsonb_build_object('amount_cents', 0, 'tax_cents', 0, 'paid_elsewhere_cents', 0)`;

/** Undoes what the import changed of an office's column, and keeps what others changed since. */
const keptUnlessImported = (column: 'franchise_name' | 'time_zone') => sql`
  CASE WHEN change.before->${column} = change.after->${column}
       THEN jsonb_build_object(${column}::text, to_jsonb(now)->${column}) ELSE '{}' END`;

/** Invoices that an import touched, with rows that undo it. An invoice that it created becomes zero due. */
const undoneBy = ({ reader, importId }: Asked, page: SQL): SQL => sql`
  SELECT own.id AS invoice_id,
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
  /** The number of the customer whose the row's place is now. */
  ownerNumber: number | null;
};

/** In the order of invoice ids; the last page is shorter than `limit`. */
export async function listUndo(
  db: Queryable,
  { after, limit, ...asked }: Asked & { after: number; limit: number },
): Promise<UndoRow[]> {
  return query<UndoRow>(db)`
    SELECT u.invoice_id AS "invoiceId", u.is_changed_since AS "isChangedSince", u.row,
           ${OWNER_NUMBER} AS "ownerNumber"
      FROM (${undoneBy(asked, sql`WHERE own.id > ${after} ORDER BY own.id LIMIT ${limit}`)}) AS u
      LEFT JOIN location l ON l.franchise_id = (u.row->>'franchise_id')::integer
                          AND l.number = (u.row->>'location_number')::bigint
     ORDER BY u.invoice_id`;
}

/** A place, and the number of the customer whose it is, was or shall be. */
export type OwnedPlace = { franchiseId: number; locationNumber: number; ownerNumber: number };

/** A change stored before owners were shows a place's move by an invoice that went along. */
const ownerIn = (side: 'before' | 'after') => {
  const row = sql.raw(`change.${side}`);
  return sql`(CASE WHEN change.before ? 'owner_number' THEN ${row}->>'owner_number' ELSE ${row}->>'customer_number' END)::bigint`;
};

/** Places that the import gave to another customer, who has them still, with the one before. */
export async function listMovedPlaces(db: Queryable, { reader, importId }: Asked): Promise<OwnedPlace[]> {
  return query<OwnedPlace>(db)`
    SELECT DISTINCT l.franchise_id AS "franchiseId", l.number AS "locationNumber", ${ownerIn('before')} AS "ownerNumber"
      FROM office_import_change change
      JOIN invoice i ON i.id = change.invoice_id
      JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${reader.id}
      JOIN location l ON l.franchise_id = i.franchise_id AND l.number = (change.after->>'location_number')::bigint
     WHERE change.import_id = ${importId} AND change.before->'location_number' = change.after->'location_number'
       AND ${ownerIn('before')} <> ${ownerIn('after')} AND ${ownerIn('after')} = ${OWNER_NUMBER}`;
}

/** For each place, an invoice of this customer that the undo file doesn't have, as it is now. */
export async function listAnchors(db: Queryable, asked: Asked, places: OwnedPlace[]): Promise<RowOfBooks[]> {
  const rows = await query<{ row: RowOfBooks }>(db)`
    SELECT to_jsonb(anchor) AS row
      FROM jsonb_to_recordset(${JSON.stringify(places)}::jsonb)
        AS p ("franchiseId" integer, "locationNumber" bigint, "ownerNumber" bigint)
      JOIN location place ON place.franchise_id = p."franchiseId" AND place.number = p."locationNumber"
     CROSS JOIN LATERAL (
       SELECT ${ROW_OF_BOOKS} FROM invoice i ${PLACES_OF_INVOICE}
        WHERE i.location_id = place.id AND c.number = p."ownerNumber"
          AND NOT EXISTS (SELECT FROM (${undoneBy(asked, sql`WHERE own.id = i.id`)}) AS u WHERE NOT u.is_changed_since)
        ORDER BY i.id DESC LIMIT 1) AS anchor`;
  return rows.map(({ row }) => row);
}
