import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { atEnd } from '../../../../tools/bench/at-end.ts';
import { type EmbeddedPostgres, startPostgres } from '../../../../tools/machine/embedded-postgres.ts';
import { makeThrowAwayFolder } from '../../../../tools/machine/throw-away-folder.ts';
import { migrate } from '../../src/db/migrate.ts';
import { databaseUrl } from '../../test/database/database-url.ts';

export type BenchDatabase = { url: string; postgres: EmbeddedPostgres; drop(): Promise<void> };

const servers = new Map<boolean, Promise<EmbeddedPostgres>>();
let databases = 0;

/** A migrated database for one bench. On a real disk, unless nothing is measured. */
export async function benchDatabase({ short = false }: { short?: boolean }): Promise<BenchDatabase> {
  const starting = servers.get(short) ?? startServer({ short });
  servers.set(short, starting);
  const postgres = await starting;
  const name = `bench_${++databases}`;
  await withClient(postgres.url, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = databaseUrl(postgres.url, name);
  await migrate(url);
  const drop = () =>
    withClient(postgres.url, async (client) => {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      // So that the next bench doesn't pay for this one's unwritten pages.
      await client.query('CHECKPOINT');
    });
  return { url, postgres, drop };
}

/** One server for all of a run's benches. */
async function startServer({ short }: { short: boolean }): Promise<EmbeddedPostgres> {
  const folder = await makeThrowAwayFolder({ onDisk: !short });
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: !short });
  atEnd(() => postgres.stop());
  return postgres;
}

export async function withClient<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
