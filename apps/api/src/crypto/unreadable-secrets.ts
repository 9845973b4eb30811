import type { Queryable } from '../db/client.ts';
import type { Deps } from '../deps.ts';
import {
  deleteUnreadableSecrets,
  insertUnreadableSecret,
  listUnreadableSecrets,
  type SealedRow,
} from './unreadable-secrets.queries.ts';

/** A secret that no key opens stops nothing but its own row, so somebody has to be told of the row. */
export async function noteUnreadable(
  { log }: Pick<Deps, 'log'>,
  db: Queryable,
  row: SealedRow,
): Promise<void> {
  if (!(await insertUnreadableSecret(db, row))) return;
  log.error({ row: `${row.table} ${row.id}`, alert: 'secret-unreadable' }, 'no data key opens this row');
}

/** These rows are read again: their key was put back, or they hold something new. */
export async function forgetUnreadable(
  db: Queryable,
  rows: { table: SealedRow['table']; ids: readonly string[] },
): Promise<void> {
  if (rows.ids.length > 0) await deleteUnreadableSecrets(db, rows);
}

/** Said at every start, as long as it is so. */
export async function tellOfUnreadable({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const rows = await listUnreadableSecrets(db.query);
  if (rows.length > 0) log.error({ rows, alert: 'secret-unreadable' }, 'no data key opens these rows');
}
