import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startPostgres } from '../../../../tools/machine/embedded-postgres.ts';
import { makeThrowAwayFolder, removeLeftOverFolders } from '../../../../tools/machine/throw-away-folder.ts';
import { migrate } from '../../src/db/migrate.ts';
import { databaseUrl } from './database-url.ts';

/** What a test file needs to make its own database. */
export type TestPostgres = { adminUrl: string; templateName: string; databasePrefix: string };

const LEFT_OVER_AFTER_SECONDS = 2 * 60 * 60;

/** A throw-away Postgres, or the one of `TEST_DATABASE_URL`. Nothing starts before `open`. */
export function prepareTestPostgres(): { open(): Promise<TestPostgres>; close(): Promise<void> } {
  const runName = `brightpane_test_${Math.floor(Date.now() / 1000)}_${randomBytes(3).toString('hex')}`;
  const external = process.env.TEST_DATABASE_URL;
  let opened: Promise<TestPostgres> | undefined;
  let server: EmbeddedPostgres | undefined;
  let folder: string | undefined;

  async function startThrowAway(): Promise<string> {
    await removeLeftOverFolders();
    folder = await makeThrowAwayFolder();
    server = await startPostgres({
      dataDir: join(folder, 'postgres'),
      durable: false,
      settings: { max_connections: 300 },
    });
    return server.url;
  }

  async function open(): Promise<TestPostgres> {
    const adminUrl = external || (await startThrowAway());
    const templateName = `${runName}_template`;
    await asAdmin(adminUrl, async (admin) => {
      await requireVersion(admin);
      if (external) await dropDatabases(admin, isLeftOver);
      await admin.query(`CREATE DATABASE ${templateName}`);
    });
    await migrate(databaseUrl(adminUrl, templateName));
    return { adminUrl, templateName, databasePrefix: runName };
  }

  return {
    open: () => {
      opened ??= open();
      return opened;
    },
    close: async () => {
      const postgres = await opened?.catch(() => undefined);
      if (external && postgres) {
        await asAdmin(external, (admin) => dropDatabases(admin, (name) => name.startsWith(runName)));
      }
      await server?.stop();
      if (folder) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function asAdmin(url: string, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

async function requireVersion(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ number: string }>(
    `SELECT current_setting('server_version_num') AS number`,
  );
  const major = Math.floor(Number(rows[0]?.number) / 10_000);
  if (!(major >= 15))
    throw new Error(`The tests need Postgres 15 or newer; TEST_DATABASE_URL is Postgres ${major}.`);
}

/** Left by a killed run: the name contains the second in which the run began. */
function isLeftOver(name: string): boolean {
  return Number(name.split('_')[2]) < Date.now() / 1000 - LEFT_OVER_AFTER_SECONDS;
}

async function dropDatabases(admin: pg.Client, isMeant: (name: string) => boolean): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE 'brightpane\\_test\\_%'`,
  );
  for (const { name } of rows) {
    if (isMeant(name)) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}
