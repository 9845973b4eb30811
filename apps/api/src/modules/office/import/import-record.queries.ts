import type { CheckedImport, ImportFault, ImportState } from '@brightpane/contract/office/imports';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';
import { removeOld } from '../../../db/statements/remove-old.queries.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import type { FileDigest } from '../rows/import-body.ts';

type Sent = { importId: string; sender: Pick<OfficeCaller, 'kind' | 'id'> };
type Named = Sent & { fileName: string | undefined };

const staffId = ({ kind, id }: Sent['sender']) => sql`${kind === 'staff' ? id : null}::uuid`;
const keyId = ({ kind, id }: Sent['sender']) => sql`${kind === 'key' ? id : null}::uuid`;

const isOf = (sender: Sent['sender'], record: SQL) =>
  sql`(${record}.staff_id, ${record}.api_key_id) IS NOT DISTINCT FROM (${staffId(sender)}, ${keyId(sender)})`;

/** How long what an import changed is kept, so that it can be undone, and what its check said. */
export const UNDO_KEPT = sql`interval '90 days'`;

const BEGUN_ANEW = sql`
  started_at = engine_now(), rows_read = 0, fault_count = 0, faults = '[]', ended_at = NULL`;

/** Begins a check, or restarts an ended one. False if the id is somebody else's, or a check in progress. */
export async function beginCheck(db: Queryable, { importId, sender, fileName }: Named): Promise<boolean> {
  const rows = await query(db)`
    INSERT INTO office_import AS o (id, staff_id, api_key_id, file_name, state)
    VALUES (${importId}, ${staffId(sender)}, ${keyId(sender)}, ${fileName ?? null}, 'checking')
    ON CONFLICT (id) DO UPDATE SET state = 'checking', file_name = excluded.file_name,
                                   sha256 = NULL, bytes = NULL, checked = NULL, ${BEGUN_ANEW}
     WHERE o.state IN ('checked', 'refused', 'broken-off') AND ${isOf(sender, sql`o`)}
    RETURNING id`;
  return rows.length === 1;
}

/** Begins the import of a check that found no errors, even after an earlier attempt broke off. */
export async function beginChecked(db: Queryable, { importId, sender }: Sent): Promise<boolean> {
  const rows = await query(db)`
    UPDATE office_import o SET state = 'applying', ${BEGUN_ANEW}
     WHERE o.id = ${importId} AND ${isOf(sender, sql`o`)} AND o.checked IS NOT NULL
       AND o.state IN ('checked', 'broken-off')
    RETURNING id`;
  return rows.length === 1;
}

/** For senders that needn't check first. */
export async function beginUnchecked(db: Queryable, { importId, sender, fileName }: Named): Promise<void> {
  await query(db)`
    INSERT INTO office_import (id, staff_id, api_key_id, file_name, state)
    VALUES (${importId}, ${staffId(sender)}, ${keyId(sender)}, ${fileName ?? null}, 'applying')`;
}

export async function findSent(
  db: Queryable,
  { importId, sender }: Sent,
): Promise<{ state: ImportState; sha256: string | null } | undefined> {
  const [row] = await query<{ state: ImportState; sha256: string | null }>(db)`
    SELECT o.state, o.sha256 FROM office_import o WHERE o.id = ${importId} AND ${isOf(sender, sql`o`)}`;
  return row;
}

export async function noteRowsRead(
  db: Queryable,
  { importId, rows }: { importId: string; rows: number },
): Promise<void> {
  await query(db)`UPDATE office_import SET rows_read = ${rows} WHERE id = ${importId}`;
}

export async function endChecked(
  db: Queryable,
  { importId, checked, digest }: { importId: string; checked: CheckedImport; digest: FileDigest },
): Promise<void> {
  await query(db)`
    UPDATE office_import SET state = 'checked', ended_at = engine_now(), checked = ${JSON.stringify(checked)}::jsonb,
           sha256 = ${digest.sha256}, bytes = ${digest.bytes}
     WHERE id = ${importId}`;
}

export async function endRefused(
  db: Queryable,
  options: { importId: string; count: number; faults: ImportFault[]; digest: FileDigest },
): Promise<void> {
  const { importId, count, faults, digest } = options;
  await query(db)`
    UPDATE office_import SET state = 'refused', ended_at = engine_now(), fault_count = ${count},
           faults = ${JSON.stringify(faults)}::jsonb, checked = NULL,
           sha256 = ${digest.sha256}, bytes = ${digest.bytes}
     WHERE id = ${importId}`;
}

/** Call in the import's own commit. */
export async function endApplied(
  tx: Queryable,
  { importId, digest }: { importId: string; digest: FileDigest },
): Promise<void> {
  await query(tx)`
    UPDATE office_import SET state = 'applied', ended_at = engine_now(), sha256 = ${digest.sha256},
           bytes = ${digest.bytes}
     WHERE id = ${importId}`;
}

/** Ends an attempt that changed nothing; a checked file can still be imported. */
export async function endWithout(
  db: Queryable,
  { importId, state }: { importId: string; state: 'checked' | 'broken-off' },
): Promise<void> {
  await query(db)`
    UPDATE office_import SET state = ${state}, ended_at = engine_now()
     WHERE id = ${importId} AND state IN ('checking', 'applying')`;
}

/** A finished import's answer, for a client that didn't receive it. */
export async function findImported(
  db: Queryable,
  { importId }: { importId: string },
): Promise<{
  created: number;
  updated: number;
  unchanged: number;
  overpaid: { franchiseId: number; workOrderNumber: number; overpaidCents: number }[];
}> {
  const rows = await query<Awaited<ReturnType<typeof findImported>>>(db)`
    SELECT coalesce(sum(c.created), 0)::integer AS created, coalesce(sum(c.updated), 0)::integer AS updated,
           coalesce(sum(c.unchanged), 0)::integer AS unchanged,
           coalesce(jsonb_agg(o.overpaid) FILTER (WHERE o.overpaid IS NOT NULL), '[]') AS overpaid
      FROM office_import_count c
      LEFT JOIN LATERAL (SELECT c.overpaid WHERE c.overpaid <> '[]') o ON true
     WHERE c.import_id = ${importId}`;
  const found = onlyRow(rows);
  return { ...found, overpaid: found.overpaid.flat() };
}

/** Ends imports of instances that died, and removes what changed, what checks said and wrong lines past their retention. */
export async function forgetOldImports(db: Queryable): Promise<void> {
  await query(db)`
    UPDATE office_import SET state = 'broken-off', ended_at = engine_now()
     WHERE state IN ('checking', 'applying') AND started_at < engine_now() - interval '1 hour'`;
  const { date } = onlyRow(await query<{ date: Date }>(db)`SELECT engine_now() - ${UNDO_KEPT} AS date`);
  // Use the fetched date: a volatile function can't be matched by an index.
  await removeOld(db, { from: 'office_import_change', where: sql`at < ${date}`, oldestBy: 'at' });
  await query(db)`
    UPDATE office_import SET checked = NULL, faults = '[]'
     WHERE started_at < ${date} AND (checked IS NOT NULL OR faults <> '[]')`;
}
