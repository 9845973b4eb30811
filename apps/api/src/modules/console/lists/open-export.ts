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

type Exporting = {
  caller: OfficeCaller;
  /** Spends the second factor and writes the audit entry in one commit, before the first row is sent. */
  record: (tx: Queryable, facts: { rows: number }) => Promise<void>;
};

type ExportedList<Row> = Exporting & {
  /** The list's query without a page limit. */
  statement: SQL;
  columns: readonly string[];
  present: (row: Row) => CsvValue[];
};

/** Both read the same snapshot. */
type ExportedFile = Exporting & {
  countRows: (snapshot: Queryable) => Promise<number>;
  write: (snapshot: Queryable) => AsyncGenerator<string>;
};

/** Streams a list as a file, through a cursor. */
export function openExport<Row extends Record<string, unknown>>(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  { caller, record, ...list }: ExportedList<Row>,
  limits = LIMITS,
): Promise<Readable> {
  const file: ExportedFile = {
    caller,
    record,
    countRows: (snapshot) => countRows(snapshot, list.statement),
    write: (snapshot) => writeList(snapshot, list),
  };
  return openFileExport(deps, file, limits);
}

/**
 * Streams a file of personal data: limited, recorded, and read from a snapshot on a connection of its own, so that neither
 * a long file nor a slow client holds up anybody.
 */
export async function openFileExport(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>,
  given: ExportedFile,
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
    const rows = await given.countRows(connection.query);
    await deps.db.transaction(async (tx) => {
      await given.record(tx, { rows });
      await countExport(deps, tx, given.caller);
    });
    return streamText(given.write(connection.query), { ...limits, end });
  });
}

async function* writeList<Row extends Record<string, unknown>>(
  db: Queryable,
  { statement, columns, present }: Pick<ExportedList<Row>, 'statement' | 'columns' | 'present'>,
): AsyncGenerator<string> {
  yield csvHead(columns);
  let began = performance.now();
  for await (const rows of readRows<Row>(db, statement, { count: ROWS_AT_A_TIME })) {
    yield rows.map((row) => csvLine(present(row))).join('');
    await wait(Math.min(PAUSE_PER_PAGE * (performance.now() - began), LONGEST_PAUSE_MILLISECONDS));
    began = performance.now();
  }
}
