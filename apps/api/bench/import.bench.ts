import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { BenchFigure, BenchOptions } from '../../../tools/bench/bench.ts';
import { withClient } from './rig/bench-database.ts';
import { withBenchPortal } from './rig/bench-portal.ts';
import { invoiceFile, sendFile } from './rig/invoice-file.ts';
import { residentMegabytes } from './rig/process-facts.ts';
import { besides, ofRounds } from './rig/statistics.ts';
import { takeTurns } from './rig/take-turns.ts';

/** After this long, the background tasks have run once. */
const QUIET_SECONDS = 3;

/**
 * A file of invoices compared with COPY of the same rows, in turns, on a Postgres that syncs its writes; and the memory
 * for one file, and for one with ten times its rows.
 */
export default async function importBench({ short }: BenchOptions): Promise<BenchFigure[]> {
  const count = short ? 200 : 30_000;
  return [...(await besideCopy(count, { short })), ...(await memoryOfFiles([count, 10 * count], { short }))];
}

async function besideCopy(count: number, { short }: { short: boolean }): Promise<BenchFigure[]> {
  const rounds = short ? 1 : 4;
  return withBenchPortal(
    {},
    async (portal) => {
      let sent = 0;
      const results = await takeTurns(rounds, {
        fresh: async () => {
          const seconds = await sendFile(portal, '/office/import', invoiceFile(sent, count));
          sent += count;
          return seconds;
        },
        again: () => sendFile(portal, '/office/import', invoiceFile(Math.max(0, sent - count), count)),
        copied: () => copy(portal.databaseUrl, count),
      });
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
        {
          name: `peak memory of the portal, ${2 * rounds + 2} imports one after the other`,
          value: residentMegabytes(portal.process.pid, 'peak'),
          unit: 'MB',
        },
      ];
    },
    { short },
  );
}

/** Each file on a freshly started, idle portal. */
async function memoryOfFiles(counts: number[], { short }: { short: boolean }): Promise<BenchFigure[]> {
  const figures: BenchFigure[] = [];
  for (const count of counts) {
    const value = await withBenchPortal(
      {},
      async (portal) => {
        await sleep(short ? 0 : QUIET_SECONDS * 1000);
        const idle = residentMegabytes(portal.process.pid);
        await sendFile(portal, '/office/import', invoiceFile(0, count));
        return residentMegabytes(portal.process.pid, 'peak') - idle;
      },
      { short },
    );
    figures.push({ name: `memory for an import of ${count}`, value, unit: 'MB', limit: { atMost: 100 } });
  }
  return figures;
}

const COLUMNS =
  'franchise_id, work_order_number, location_id, service, amount_cents, tax_cents, tax_rate_ppm, due_date, completed_date, tips_enabled, paid_elsewhere_cents';

/**
 * The floor: copies the last invoices into a table with the same columns, checks and indexes, already validated and with
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
