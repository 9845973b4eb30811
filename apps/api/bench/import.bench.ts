import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { BenchFigure } from '../../../tools/bench.ts';
import { BENCH_SECRETS, type BenchPortal, withBenchPortal } from './bench-portal.ts';

/** A file of a hundred thousand invoices against the portal as a process of its own, on a Postgres that syncs its writes. */
export default async function importBench({ short }: { short: boolean }): Promise<BenchFigure[]> {
  const count = short ? 10_000 : 100_000;
  return withBenchPortal({}, async (portal) => {
    await send(portal, 0, 1_000);
    const memoryBefore = peakMegabytes(portal.process);
    const first = await send(portal, 1_000, count);
    const memory = peakMegabytes(portal.process);
    const repeat = await send(portal, 1_000, count);
    const copied = await copy(portal.databaseUrl, count);
    return [
      { name: `import of ${count} new invoices`, value: count / first, unit: 'rows/s' },
      { name: 'the same file again, nothing changed', value: count / repeat, unit: 'rows/s' },
      { name: 'COPY of the same rows into the invoice table', value: count / copied, unit: 'rows/s' },
      { name: 'import / COPY', value: copied / first, unit: '', limit: { atLeast: 0.25 } },
      { name: 'peak memory of the portal', value: memory, unit: 'MB' },
      {
        name: 'of it for the import',
        value: memory - memoryBefore,
        unit: 'MB',
        limit: { atMost: 150 },
      },
    ];
  });
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

/** The floor: the same invoices straight into their table, already checked and with the ids of their locations. */
async function copy(databaseUrl: string, count: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const columns =
      'franchise_id, work_order_number, location_id, service, amount_cents, tax_cents, tax_rate_ppm, due_date, completed_date, tips_enabled, paid_elsewhere_cents';
    const { rows } = await client.query({
      text: `SELECT ${columns.replace('due_date, completed_date', 'due_date::text, completed_date::text')} FROM invoice ORDER BY id DESC LIMIT ${count}`,
      rowMode: 'array',
    });
    const lines = rows.map((row: unknown[]) => `${row.join('\t')}\n`);
    await client.query('DELETE FROM invoice');
    await client.query('VACUUM ANALYZE invoice');
    const start = performance.now();
    await pipeline(
      Readable.from(inChunks(lines)),
      client.query(copyFrom(`COPY invoice (${columns}) FROM STDIN`)),
    );
    return (performance.now() - start) / 1000;
  } finally {
    await client.end();
  }
}

function* inChunks(lines: string[]): Generator<string> {
  for (let index = 0; index < lines.length; index += 500) yield lines.slice(index, index + 500).join('');
}

/** The most that the process has held so far, by the kernel's count. */
function peakMegabytes({ pid }: ChildProcess): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
