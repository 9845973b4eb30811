import type { Queryable } from '../db/client.ts';
import type { Deps } from '../deps.ts';
import {
  deleteUnreadableSecrets,
  insertUnreadableSecret,
  listUnreadableSecrets,
  type SealedRow,
} from './unreadable-secrets.queries.ts';

/** Notes a secret that no key opens. It stops nothing but its own row, so somebody must be told. */
export async function noteUnreadable(
  { log }: Pick<Deps, 'log'>,
  db: Queryable,
  row: SealedRow,
): Promise<void> {
  if (!(await insertUnreadableSecret(db, row))) return;
  log.error({ row: `${row.table} ${row.id}`, alert: 'secret-unreadable' }, 'no data key opens this row');
}

/** Clears rows that are readable again: their key was restored, or they hold something new. */
export async function forgetUnreadable(
  db: Queryable,
  rows: { table: SealedRow['table']; ids: readonly string[] },
): Promise<void> {
  if (rows.ids.length > 0) await deleteUnreadableSecrets(db, rows);
}

/** Alerts at every start while there are such rows. */
export async function tellOfUnreadable({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const rows = await listUnreadableSecrets(db.query);
  if (rows.length > 0) log.error({ rows, alert: 'secret-unreadable' }, 'no data key opens these rows');
}
