import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { atEnd } from '../../../../tools/bench/at-end.ts';
import type { BenchFigure, BenchOptions } from '../../../../tools/bench/bench.ts';
import { withClient } from '../rig/bench-database.ts';
import { BENCH_SECRETS, type BenchPortal, startBenchPortal } from '../rig/bench-portal.ts';
import { load } from '../rig/http-load.ts';
import { residentMegabytes } from '../rig/process-facts.ts';
import { besides, median, ofRounds } from '../rig/statistics.ts';
import { addCustomers } from '../scale/measured-customers.ts';
import { type Books, describeBooks, openBooks, openBooksDeps } from '../scale/open-books.ts';

const FULL = { invoices: 1_000_000, rounds: 6, seconds: 3 };
const SHORT = { invoices: 500, rounds: 1, seconds: 0.1 };

const HEADERS = { authorization: `Bearer ${BENCH_SECRETS.officeApiKey}` };
/** How many browsers load invoices at once. */
const AT_ONCE = 2;

/**
 * Exports all invoices of all offices into one file: how fast, in how much memory, and how much payers notice.
 * `BENCH_BOOKS` names a folder that keeps the books for the next run.
 */
export default async function exportBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const { invoices, rounds, seconds } = short ? SHORT : FULL;
  const [books] = await openBooks({
    sizes: [invoices],
    short,
    keptIn: short ? undefined : process.env.BENCH_BOOKS,
  });
  const portal = await startBenchPortal(books as Books, {});
  const deps = await openBooksDeps(portal);
  atEnd(() => deps.db.close());
  const [headers = {}] = await addCustomers(deps, [10]);
  const list = { url: `${portal.url}/api/user/invoice`, headers, process: portal.process };
  const rate = async () => (await load(list, { seconds, atOnce: AT_ONCE })).perSecond;

  // Warm up, so that memory for a portal's first calls isn't measured.
  await rate();
  await download(portal, '?franchiseId=90').whole;
  const before = residentMegabytes(portal.process.pid, 'peak');
  const alone = await download(portal).whole;
  const memory = residentMegabytes(portal.process.pid, 'peak') - before;

  const quiet: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < rounds; round++) {
    quiet.push(await rate());
    const file = download(portal);
    await file.begun;
    beside.push(await rate());
    file.stop();
    await file.whole.catch(() => {});
    await untilNoExport(books as Books);
  }
  return [
    ...describeBooks(books as Books),
    { name: 'rows of the file', value: alone.rows, unit: '' },
    { name: 'written', value: alone.rows / alone.seconds, unit: 'rows/s', limit: { atLeast: 5_000 } },
    { name: 'peak memory of the portal by it', value: memory, unit: 'MB', limit: { atMost: 60 } },
    ofRounds({ name: 'list of 10 invoices, nothing else going on', unit: '/s' }, quiet),
    ofRounds({ name: 'list of 10 invoices, beside an export', unit: '/s' }, beside),
    {
      name: 'beside an export / alone',
      value: median(besides(beside, quiet)),
      unit: '',
      limit: { atLeast: 0.8 },
    },
  ];
}

type Whole = { rows: number; seconds: number };

/** A caller may have one export at a time, and one that was left ends only when Postgres notices. */
async function untilNoExport({ url }: Books): Promise<void> {
  await withClient(url, async (client) => {
    const isUnderWay = async () => (await client.query(EXPORTS)).rows.length > 0;
    while (await isUnderWay()) await wait(50);
  });
}

const EXPORTS = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'brightpane export'`;

/** Downloads the file and discards it row by row. */
function download(
  { url }: Pick<BenchPortal, 'url'>,
  filter = '',
): { begun: Promise<void>; whole: Promise<Whole>; stop: () => void } {
  const start = performance.now();
  const asked = request(`${url}/api/office/invoices.csv${filter}`, { headers: HEADERS, agent: new Agent() });
  const begun = Promise.withResolvers<void>();
  const whole = Promise.withResolvers<Whole>();
  asked.on('response', (response) => {
    if (response.statusCode !== 200) return void asked.destroy(new Error(`export: ${response.statusCode}`));
    let lines = 0;
    response.on('data', (chunk: Buffer) => {
      begun.resolve();
      for (const byte of chunk) if (byte === 10) lines++;
    });
    // The first line names the columns.
    response.on('end', () => whole.resolve({ rows: lines - 1, seconds: (performance.now() - start) / 1000 }));
    response.on('error', whole.reject);
  });
  asked.on('error', (error) => {
    begun.reject(error);
    whole.reject(error);
  });
  asked.end();
  return { begun: begun.promise, whole: whole.promise, stop: () => void asked.destroy() };
}
