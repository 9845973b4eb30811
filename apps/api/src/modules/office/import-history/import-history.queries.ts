import type { ImportFault, ImportState } from '@brightpane/contract/office/imports';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { instantText, query } from '../../../db/query.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { actorName } from '../../acts/actor-names.queries.ts';
import type { PlannedFranchise } from '../import/check/check.queries.ts';
import type { RowOfBooks } from '../import/check/present-row.ts';
import { UNDO_KEPT } from '../import/import-record.queries.ts';

type Reader = Pick<OfficeCaller, 'id' | 'isForAll'>;

const isSentBy = (reader: Reader) => sql`${reader.id}::uuid IN (o.staff_id, o.api_key_id)`;

/** What an import did to the offices that the reader sees, or to one of them. */
const countsFor = (reader: Reader, franchiseId?: number) => sql`
  LEFT JOIN LATERAL (
    SELECT sum(c.created)::integer AS created, sum(c.updated)::integer AS updated,
           sum(c.unchanged)::integer AS unchanged, sum(jsonb_array_length(c.overpaid))::integer AS overpaid
      FROM office_import_count c
      JOIN visible_franchise v ON v.franchise_id = c.franchise_id AND v.actor_id = ${reader.id}
     WHERE c.import_id = o.id AND ${isOf(franchiseId, sql`c`)}) AS counted ON true`;

const isOf = (franchiseId: number | undefined, of: SQL) =>
  franchiseId === undefined ? sql`true` : sql`${of}.franchise_id = ${franchiseId}`;

const RECORD = sql`
  o.id AS "importId", o.state, ${actorName(sql`coalesce(o.staff_id, o.api_key_id)`)} AS by, o.file_name AS "fileName", ${instantText(sql`o.started_at`)} AS "startedAt",
  ${instantText(sql`o.ended_at`)} AS "endedAt", coalesce(counted.created, 0) AS created,
  coalesce(counted.updated, 0) AS updated, coalesce(counted.unchanged, 0) AS unchanged`;

export type ImportRecord = {
  importId: string;
  state: ImportState;
  by: string;
  fileName: string | null;
  startedAt: string;
  endedAt: string | null;
  created: number;
  updated: number;
  unchanged: number;
};

/** The sort keys of a page's last row. */
export type ImportPlace = { startedAt: string; importId: string };

/**
 * The reader's own imports, and those that changed an office they see; for one office, those that
 * changed it, and the reader's own that changed none. Newest first.
 */
export async function listImports(
  db: Queryable,
  {
    reader,
    franchiseId,
    after,
    limit,
  }: { reader: Reader; franchiseId: number | undefined; after: ImportPlace | null; limit: number },
): Promise<(ImportRecord & { overpaid: number })[]> {
  const older = (time: SQL, id: SQL) =>
    after === null
      ? sql`true`
      : sql`(${time}, ${id}) < (${after.startedAt}::timestamptz, ${after.importId}::uuid)`;
  const page = (from: SQL, time: SQL, id: SQL, condition: SQL) => sql`
    SELECT ${id} AS id, ${time} AS started_at FROM ${from}
     WHERE ${condition} AND ${older(time, id)} ORDER BY ${time} DESC, ${id} DESC LIMIT ${limit}`;
  const isWanted =
    franchiseId === undefined
      ? sql`true`
      : sql`o.state <> 'applied' AND EXISTS (
          SELECT FROM visible_franchise v WHERE v.actor_id = ${reader.id} AND v.franchise_id = ${franchiseId})`;
  const ownBy = (column: SQL) =>
    page(sql`office_import o`, sql`o.started_at`, sql`o.id`, sql`${column} = ${reader.id} AND ${isWanted}`);
  const own = sql`(${ownBy(sql`o.staff_id`)}) UNION (${ownBy(sql`o.api_key_id`)})`;
  const ofOffices = sql`
    SELECT of_office.id, of_office.started_at FROM visible_franchise v
     CROSS JOIN LATERAL (${page(
       sql`office_import_count c`,
       sql`c.started_at`,
       sql`c.import_id`,
       sql`c.franchise_id = v.franchise_id`,
     )}) AS of_office
     WHERE v.actor_id = ${reader.id} AND ${isOf(franchiseId, sql`v`)}`;
  const pages =
    reader.isForAll && franchiseId === undefined
      ? page(sql`office_import o`, sql`o.started_at`, sql`o.id`, sql`true`)
      : sql`${own} UNION (${ofOffices})`;
  return query<ImportRecord & { overpaid: number }>(db)`
    WITH page AS MATERIALIZED (
      SELECT id FROM (${pages}) AS candidate ORDER BY started_at DESC, id DESC LIMIT ${limit})
    SELECT ${RECORD}, coalesce(counted.overpaid, 0) AS overpaid
      FROM page JOIN office_import o ON o.id = page.id ${countsFor(reader, franchiseId)}
     ORDER BY o.started_at DESC, o.id DESC`;
}

export type FoundImport = ImportRecord & {
  /** The reader's own rows, if somebody else sent the file. */
  rowsRead: number;
  sha256: string | null;
  faultCount: number;
  faults: ImportFault[];
  isOwn: boolean;
  /** The answer of its check, for the sender; null once it names an office that they don't see. */
  checked: unknown;
  /** Whether its undo data is still kept. */
  isKept: boolean;
};

/** An import that the reader sent, or that changed an office they see. */
export async function findImport(
  db: Queryable,
  { reader, importId }: { reader: Reader; importId: string },
): Promise<FoundImport | undefined> {
  const [row] = await query<FoundImport>(db)`
    SELECT ${RECORD}, CASE WHEN ${reader.isForAll} OR ${isSentBy(reader)} THEN o.rows_read
                            ELSE counted.created + counted.updated + counted.unchanged END AS "rowsRead", o.sha256, o.fault_count AS "faultCount", o.faults,
           CASE WHEN NOT EXISTS (
             SELECT FROM jsonb_array_elements(o.checked->'franchises') AS named
               JOIN franchise f ON f.id = (named->>'franchiseId')::integer
              WHERE NOT EXISTS (SELECT FROM visible_franchise v WHERE v.actor_id = ${reader.id} AND v.franchise_id = f.id))
           THEN o.checked END AS checked,
           ${isSentBy(reader)} AS "isOwn",
           o.state = 'applied' AND o.ended_at > engine_now() - ${UNDO_KEPT} AS "isKept"
      FROM office_import o ${countsFor(reader)}
     WHERE o.id = ${importId} AND (${reader.isForAll} OR ${isSentBy(reader)} OR counted.created IS NOT NULL)`;
  return row;
}

/** What an import did to one office, in the words of its check. */
type CountedFranchise = PlannedFranchise & {
  overpaid: { franchiseId: number; workOrderNumber: number; overpaidCents: number }[];
};

export async function listCounts(
  db: Queryable,
  { reader, importId }: { reader: Reader; importId: string },
): Promise<CountedFranchise[]> {
  return query<CountedFranchise>(db)`
    SELECT c.franchise_id AS "franchiseId", c.created, c.updated, c.unchanged,
           c.amount_before_cents AS "beforeCents", c.amount_after_cents AS "afterCents", c.before, c.after, c.overpaid
      FROM office_import_count c
      JOIN visible_franchise v ON v.franchise_id = c.franchise_id AND v.actor_id = ${reader.id}
     WHERE c.import_id = ${importId} ORDER BY c.franchise_id`;
}

/** The changes with the largest change of amount. */
export async function listKeptChanges(
  db: Queryable,
  { reader, importId, limit }: { reader: Reader; importId: string; limit: number },
): Promise<{ before: RowOfBooks; after: RowOfBooks }[]> {
  return query<{ before: RowOfBooks; after: RowOfBooks }>(db)`
    SELECT c.before, c.after
      FROM office_import_change c
      JOIN invoice i ON i.id = c.invoice_id
      JOIN visible_franchise v ON v.franchise_id = i.franchise_id AND v.actor_id = ${reader.id}
     WHERE c.import_id = ${importId} AND NOT c.is_created
     ORDER BY abs((c.after->>'amount_cents')::bigint - (c.before->>'amount_cents')::bigint) DESC, i.id
     LIMIT ${limit}`;
}
