import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { from as copyFrom } from 'pg-copy-streams';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { withClient } from './rig/bench-database.ts';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from './rig/bench-portal.ts';
import { residentMegabytes } from './rig/process-facts.ts';
import { besides, ofRounds } from './rig/statistics.ts';
import { takeTurns } from './rig/take-turns.ts';

/** A file of invoices against COPY of the same rows, in turns, on a Postgres that syncs its writes. */
export default async function importBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const count = short ? 200 : 30_000;
  const rounds = short ? 1 : 4;
  return withBenchPortal(
    {},
    async (portal) => {
      let sent = 0;
      const before = residentMegabytes(portal.process.pid, 'peak');
      const results = await takeTurns(rounds, {
        fresh: async () => {
          const seconds = await send(portal, sent, count);
          sent += count;
          return seconds;
        },
        again: () => send(portal, Math.max(0, sent - count), count),
        copied: () => copy(portal.databaseUrl, count),
      });
      const memory = residentMegabytes(portal.process.pid, 'peak');
      const perSecond = (seconds: number[]) => seconds.map((each) => count / each);
      return [
        ofRounds({ name: `import of ${count} new invoices`, unit: 'rows/s' }, perSecond(results.fresh)),
        ofRounds({ name: 'the same file again', unit: 'rows/s' }, perSecond(results.again)),
        ofRounds(
          { name: 'COPY of the same rows into a table like it', unit: 'rows/s' },
          perSecond(results.copied),
        ),
        ofRounds(
          { name: 'import / COPY', unit: '', limit: { atLeast: 0.25 } },
          besides(results.copied, results.fresh),
        ),
        { name: 'peak memory of the portal', value: memory, unit: 'MB' },
        { name: 'of it for the import', value: memory - before, unit: 'MB', limit: { atMost: 150 } },
      ];
    },
    { short },
  );
}

/** Streams the file and returns the seconds until the answer. */
async function send({ url }: BenchPortal, from: number, count: number): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${url}/api/office/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BENCH_SECRETS.officeApiKey}`, 'content-type': 'text/csv' },
    body: Readable.toWeb(Readable.from(csvFile(from, count))) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  if (!answer.ok) throw new Error(await answer.text());
  await answer.json();
  return (performance.now() - start) / 1000;
}

/** Ten franchises; a customer has five invoices on two locations. In chunks, as a file is read. */
function* csvFile(from: number, count: number): Generator<Buffer> {
  let chunk = `${INVOICE_COLUMNS.join(',')}\n`;
  for (let number = from + 1; number <= from + count; number++) {
    const franchise = 100 + (number % 10);
    const place = Math.ceil(number / 30);
    const customer = Math.ceil(number / 50);
    chunk += `${franchise},Clear View ${franchise},America/Chicago,${customer},"O'Brien, Zoë",zoe${customer}@example.com,${place},Home,${place} Maple Street,Springfield,IL,${10_000 + (place % 80_000)},${number},"Windows, inside and out; gutters",2026-10-01,2026-11-30,${100 + (number % 400)}.25,8.25,0.0825,true,0.00\n`;
    if (chunk.length > 64 * 1024) {
      yield Buffer.from(chunk);
      chunk = '';
    }
  }
  yield Buffer.from(chunk);
}

const COLUMNS =
  'franchise_id, work_order_number, location_id, service, amount_cents, tax_cents, tax_rate_ppm, due_date, completed_date, tips_enabled, paid_elsewhere_cents';

/**
 * The floor: the last invoices straight into a table with the same columns, checks and indexes, already checked and with
 * the ids of their locations.
 */
async function copy(databaseUrl: string, count: number): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query({
      text: `SELECT ${COLUMNS.replace('due_date, completed_date', 'due_date::text, completed_date::text')} FROM invoice ORDER BY id DESC LIMIT ${count}`,
      rowMode: 'array',
    });
    const lines = rows.map((row: unknown[]) => `${row.map((value) => value ?? '\\N').join('\t')}\n`);
    await client.query('DROP TABLE IF EXISTS copied');
    await client.query('CREATE TABLE copied (LIKE invoice INCLUDING ALL)');
    await client.query(
      'ALTER TABLE copied ADD FOREIGN KEY (location_id) REFERENCES location, ADD FOREIGN KEY (franchise_id) REFERENCES franchise',
    );
    const start = performance.now();
    await pipeline(
      Readable.from(inChunks(lines)),
      client.query(copyFrom(`COPY copied (${COLUMNS}) FROM STDIN`)),
    );
    return (performance.now() - start) / 1000;
  });
}

function* inChunks(lines: string[]): Generator<string> {
  for (let index = 0; index < lines.length; index += 500) yield lines.slice(index, index + 500).join('');
}
