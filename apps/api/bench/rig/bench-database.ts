import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd } from '../../../../tools/bench/at-end.ts';
import { type EmbeddedPostgres, startPostgres } from '../../../../tools/machine/embedded-postgres.ts';
import { makeThrowAwayFolder } from '../../../../tools/machine/throw-away-folder.ts';
import { migrate } from '../../src/db/migrate.ts';
import { databaseUrl } from '../../test/database/database-url.ts';
import { withClient } from '../../test/database/make-database.ts';

export { withClient };

export type BenchDatabase = { url: string; postgres: EmbeddedPostgres; drop(): Promise<void> };

type Server = { postgres: EmbeddedPostgres; template: string };

const servers = new Map<boolean, Promise<Server>>();
let databases = 0;

/** A migrated database for one bench. On a real disk, unless nothing is measured. */
export async function benchDatabase({ short = false }: { short?: boolean }): Promise<BenchDatabase> {
  const starting = servers.get(short) ?? startServer({ short });
  servers.set(short, starting);
  const { postgres, template } = await starting;
  const name = `bench_${++databases}`;
  await withClient(postgres.url, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`),
  );
  const drop = () =>
    withClient(postgres.url, async (client) => {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      // So that the next bench doesn't pay for this one's unwritten pages.
      await client.query('CHECKPOINT');
    });
  return { url: databaseUrl(postgres.url, name), postgres, drop };
}

/** One server for all of a run's benches, with a migrated database to copy. */
async function startServer({ short }: { short: boolean }): Promise<Server> {
  const folder = await makeThrowAwayFolder({ onDisk: !short });
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: !short });
  atEnd(() => postgres.stop());
  const template = 'bench_template';
  await withClient(postgres.url, (client) => client.query(`CREATE DATABASE ${template}`));
  await migrate(databaseUrl(postgres.url, template));
  return { postgres, template };
}
