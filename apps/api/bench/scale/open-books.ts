import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd } from '../../../../tools/bench/at-end.ts';
import type { BenchFigure } from '../../../../tools/bench/bench.ts';
import { startPostgres } from '../../../../tools/machine/embedded-postgres.ts';
import { makeThrowAwayFolder } from '../../../../tools/machine/throw-away-folder.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Deps } from '../../src/deps.ts';
import { readEnv } from '../../src/env.ts';
import { openDeps } from '../../src/open-deps.ts';
import { databaseUrl } from '../../test/database/database-url.ts';
import { sealUnbound } from '../../test/releases/seal-unbound.ts';
import { type BenchDatabase, withClient } from '../rig/bench-database.ts';
import { benchSettings } from '../rig/bench-portal.ts';
import { growBooks } from './grow-books.ts';

/** Generated books in a database of their own. */
export type Books = BenchDatabase & {
  /** `10,000 invoices` */
  name: string;
  /** Null for books kept from another run. */
  filledSeconds: number | null;
  megabytesPerMillion: number;
};

/** For filling only: not crash-safe, with memory for sorting. */
const WHILE_FILLED = {
  autovacuum: 'off',
  max_wal_senders: 0,
  max_wal_size: '8GB',
  shared_buffers: '512MB',
  wal_level: 'minimal',
};
/** As on a small dedicated database server. */
const WHILE_MEASURED = { shared_buffers: '2GB', max_wal_size: '4GB' };

/**
 * Books of these sizes in one Postgres on a disk, as durable as in production during measurements. With a folder, books
 * are filled once and kept; only for benches that don't write.
 */
export async function openBooks({
  sizes,
  short,
  keptIn,
}: {
  sizes: number[];
  short: boolean;
  keptIn?: string | undefined;
}): Promise<Books[]> {
  const folder = keptIn ?? (await makeThrowAwayFolder({ onDisk: !short }));
  if (keptIn === undefined) atEnd(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'postgres');
  const filled = await fillAll(dataDir, sizes);
  const postgres = await startPostgres({ dataDir, durable: !short, settings: short ? {} : WHILE_MEASURED });
  atEnd(() => postgres.stop());
  return filled.map(({ database, ...books }) => ({
    ...books,
    url: databaseUrl(postgres.url, database),
    postgres,
    drop: async () => {},
  }));
}

async function fillAll(dataDir: string, sizes: number[]) {
  const postgres = await startPostgres({ dataDir, durable: false, settings: WHILE_FILLED });
  const ask = (statement: string) => withClient(postgres.url, (client) => client.query(statement));
  try {
    const filled = [];
    for (const size of sizes) {
      const database = `books_${size}`;
      const { rowCount } = await ask(`SELECT FROM pg_database WHERE datname = '${database}'`);
      let filledSeconds: number | null = null;
      if (rowCount === 0) {
        // Under a temporary name until complete, since a run may be stopped.
        await ask('DROP DATABASE IF EXISTS unfinished');
        await ask('CREATE DATABASE unfinished');
        filledSeconds = await fill(databaseUrl(postgres.url, 'unfinished'), size);
        await ask(`ALTER DATABASE unfinished RENAME TO ${database}`);
      }
      const url = databaseUrl(postgres.url, database);
      await migrate(url);
      filled.push({ ...(await describe(url, size)), database, filledSeconds });
    }
    return filled;
  } finally {
    await postgres.stop();
  }
}

async function fill(url: string, invoices: number): Promise<number> {
  await migrate(url);
  // Creates the account that cards are charged on.
  const deps = await openBooksDeps({ databaseUrl: url, url: 'http://127.0.0.1' });
  const sealedCard = sealUnbound(deps.env.DATA_KEY[0] ?? '', 'a card');
  await deps.db.close();
  const { seconds } = await growBooks(url, { invoices, passwordHash: '', sealedCard });
  return seconds;
}

async function describe(url: string, invoices: number) {
  const bytes = await withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT pg_database_size(current_database())::text AS bytes',
    );
    return Number(rows[0]?.bytes);
  });
  return { name: `${invoices.toLocaleString('en-US')} invoices`, megabytesPerMillion: bytes / invoices };
}

/** The time to fill the books, and their size. */
export const describeBooks = ({ name, filledSeconds, megabytesPerMillion }: Books): BenchFigure[] => [
  ...(filledSeconds === null ? [] : [{ name: `${name}: filled in`, value: filledSeconds, unit: 's' }]),
  { name: `${name}: disk for each million of them`, value: megabytesPerMillion, unit: 'MB' },
];

/** The portal's dependencies in this process, to run its tasks and to sign in without a password. */
export function openBooksDeps(
  portal: { databaseUrl: string; url: string },
  settings: Record<string, string> = {},
  given: Partial<Deps> = {},
): Promise<Deps> {
  return openDeps(readEnv({ ...benchSettings(portal), LOG_LEVEL: 'silent', ...settings }), given);
}
