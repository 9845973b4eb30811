import { Readable } from 'node:stream';
import type { SQL } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { openSession, type Session } from '../../../db/session.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type CsvValue, csvHead, csvLine } from './csv.ts';
import { beginExport, countRows, fetchRows, openCursor } from './export.queries.ts';
import { admitExport, countExport, takeExportPlace } from './export-limits.ts';
import { exportUnderWay } from './lists.problems.ts';

const ROWS_AT_A_TIME = 1_000;
const LONGEST_MILLISECONDS = 600_000;

type Export<Row> = {
  caller: OfficeCaller;
  /** The list's own query, without a page's end. */
  statement: SQL;
  columns: readonly string[];
  present: (row: Row) => CsvValue[];
  /** Spends the second factor and writes the audit, in one commit, before the first row leaves. */
  record: (tx: Queryable, facts: { rows: number }) => Promise<void>;
};

/**
 * A list as a file: read as of one moment on a connection of its own, through a cursor, so that neither a long list nor a
 * slow line holds up anybody. One that fails on the way is cut off, which a browser takes for a failed download.
 */
export async function openExport<Row extends Record<string, unknown>>(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  given: Export<Row>,
): Promise<Readable> {
  await admitExport(deps, given.caller);
  const leave = takeExportPlace();
  let session: Session | undefined;
  const end = async () => {
    leave();
    const ending = session;
    session = undefined;
    await ending?.close().catch(() => {});
  };
  try {
    session = await openSession({
      url: deps.env.DATABASE_URL,
      applicationName: 'brightpane export',
      wakeUps: deps.db.wakeUps,
    });
    if (!(await beginExport(session.query, { actorId: given.caller.id }))) throw exportUnderWay();
    const rows = await countRows(session.query, given.statement);
    await deps.db.transaction(async (tx) => {
      await given.record(tx, { rows });
      await countExport(deps, tx, given.caller);
    });
    await openCursor(session.query, given.statement);
  } catch (error) {
    await end();
    throw error;
  }
  const stream = Readable.from(write(session.query, given, end), { objectMode: false });
  // Of a reader who went away before the first row nothing is written, and so nothing ended either.
  return stream.once('close', () => void end());
}

async function* write<Row extends Record<string, unknown>>(
  db: Queryable,
  { columns, present }: Export<Row>,
  end: () => Promise<void>,
): AsyncGenerator<string> {
  const begin = performance.now();
  try {
    yield csvHead(columns);
    for (;;) {
      const rows = await fetchRows<Row>(db, ROWS_AT_A_TIME);
      if (rows.length === 0) return;
      yield rows.map((row) => csvLine(present(row))).join('');
      if (performance.now() - begin > LONGEST_MILLISECONDS) throw new Error('an export took too long');
    }
  } finally {
    await end();
  }
}
