import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { SQL } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { openSnapshot } from '../../../db/snapshots/open-snapshot.ts';
import { readRows } from '../../../db/snapshots/snapshot.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { openInPlace } from '../../../http/open-in-place.ts';
import { streamText } from '../../../http/stream-text.ts';
import { type CsvValue, csvHead, csvLine } from './csv.ts';
import { countRows } from './export.queries.ts';
import { admitExport, countExport, takeExportPlace } from './export-limits.ts';
import { exportUnderWay } from './lists.problems.ts';

const ROWS_AT_A_TIME = 250;
/** After each page, an export pauses for this many times what the page took, so that payers keep the processor. */
const PAUSE_PER_PAGE = 5;
/** On a busy machine the time of a page is mostly waiting, which needs no further pause. */
const LONGEST_PAUSE_MILLISECONDS = 20;
const LIMITS = { longestMilliseconds: 600_000, stalledMilliseconds: 30_000 };

type Export<Row> = {
  caller: OfficeCaller;
  /** The list's query without a page limit. */
  statement: SQL;
  columns: readonly string[];
  present: (row: Row) => CsvValue[];
  /** Spends the second factor and writes the audit entry in one commit, before the first row is sent. */
  record: (tx: Queryable, facts: { rows: number }) => Promise<void>;
};

/**
 * Streams a list as a file. Reads a snapshot through a cursor, so that neither a long list nor a
 * slow client holds up anybody.
 */
export async function openExport<Row extends Record<string, unknown>>(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  given: Export<Row>,
  limits = LIMITS,
): Promise<Readable> {
  await admitExport(deps, given.caller);
  const open = () =>
    openSnapshot({
      url: deps.env.DATABASE_URL,
      applicationName: 'brightpane export',
      wakeUps: deps.db.wakeUps,
      owner: given.caller.id,
    });
  return openInPlace(takeExportPlace(), open, async (connection, end) => {
    if (connection === null) throw exportUnderWay();
    const rows = await countRows(connection.query, given.statement);
    await deps.db.transaction(async (tx) => {
      await given.record(tx, { rows });
      await countExport(deps, tx, given.caller);
    });
    return streamText(write(connection.query, given), { ...limits, end });
  });
}

async function* write<Row extends Record<string, unknown>>(
  db: Queryable,
  { statement, columns, present }: Export<Row>,
): AsyncGenerator<string> {
  yield csvHead(columns);
  let began = performance.now();
  for await (const rows of readRows<Row>(db, statement, { count: ROWS_AT_A_TIME })) {
    yield rows.map((row) => csvLine(present(row))).join('');
    await wait(Math.min(PAUSE_PER_PAGE * (performance.now() - began), LONGEST_PAUSE_MILLISECONDS));
    began = performance.now();
  }
}
