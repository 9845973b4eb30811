import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd } from '../../../../tools/bench/at-end.ts';
import { startPostgres } from '../../../../tools/embedded-postgres.ts';
import { makeThrowAwayFolder } from '../../../../tools/throw-away-folder.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Deps } from '../../src/deps.ts';
import { readEnv } from '../../src/env.ts';
import { openDeps } from '../../src/open-deps.ts';
import { sealUnbound } from '../../test/seal-unbound.ts';
import { type BenchDatabase, withClient } from '../bench-database.ts';
import { benchSettings } from '../bench-portal.ts';
import { growBooks } from './grow-books.ts';

/** Generated books in a database of their own. */
export type Books = BenchDatabase & {
  /** `10,000 invoices` */
  name: string;
  filledSeconds: number;
  megabytesPerMillion: number;
};

/** For filling only: nothing is kept safe from a crash, and there is room for sorting. */
const WHILE_FILLED = {
  autovacuum: 'off',
  max_wal_senders: 0,
  max_wal_size: '8GB',
  shared_buffers: '512MB',
  wal_level: 'minimal',
};
/** As on a small database server of its own. */
const WHILE_MEASURED = { shared_buffers: '2GB', max_wal_size: '4GB' };

/** Books of these sizes, in one Postgres on a disk, which is as durable as in production while anything is measured. */
export async function openBooks({ sizes, short }: { sizes: number[]; short: boolean }): Promise<Books[]> {
  const folder = await makeThrowAwayFolder({ onDisk: !short });
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'postgres');
  const filled = await fillAll(dataDir, sizes);
  const postgres = await startPostgres({ dataDir, durable: !short, settings: short ? {} : WHILE_MEASURED });
  atEnd(() => postgres.stop());
  return filled.map(({ database, ...books }) => ({
    ...books,
    url: urlOf(postgres.url, database),
    postgres,
    drop: async () => {},
  }));
}

async function fillAll(dataDir: string, sizes: number[]) {
  const postgres = await startPostgres({ dataDir, durable: false, settings: WHILE_FILLED });
  try {
    const filled = [];
    for (const size of sizes) {
      const database = `books_${size}`;
      await withClient(postgres.url, (client) => client.query(`CREATE DATABASE ${database}`));
      filled.push({ database, ...(await fill(urlOf(postgres.url, database), size)) });
    }
    return filled;
  } finally {
    await postgres.stop();
  }
}

async function fill(url: string, invoices: number) {
  await migrate(url);
  // Makes the account that cards are charged on.
  const deps = await openBooksDeps({ databaseUrl: url, url: 'http://127.0.0.1' });
  const sealedCard = sealUnbound(deps.env.DATA_KEY[0] ?? '', 'a card');
  await deps.db.close();
  const { seconds } = await growBooks(url, { invoices, passwordHash: '', sealedCard });
  const bytes = await withClient(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT pg_database_size(current_database())::text AS bytes',
    );
    return Number(rows[0]?.bytes);
  });
  return {
    name: `${invoices.toLocaleString('en-US')} invoices`,
    filledSeconds: seconds,
    megabytesPerMillion: bytes / invoices,
  };
}

/** What a portal works with, in this process: for its tasks, and to sign somebody in without a password. */
export function openBooksDeps(
  portal: { databaseUrl: string; url: string },
  settings: Record<string, string> = {},
): Promise<Deps> {
  return openDeps(readEnv({ ...benchSettings(portal), LOG_LEVEL: 'silent', ...settings }));
}

function urlOf(serverUrl: string, database: string): string {
  return Object.assign(new URL(serverUrl), { pathname: database }).href;
}
