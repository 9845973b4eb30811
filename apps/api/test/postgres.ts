import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl } from './database-url.ts';
import type { TestPostgres } from './test-postgres.ts';

export type TestDatabase = { url: string; drop(): Promise<void> };

/** An empty, migrated database of its own, copied from the run's template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, templateName, databasePrefix } = await askForTestPostgres();
  const name = `${databasePrefix}_${randomBytes(6).toString('hex')}`;
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${templateName} STRATEGY FILE_COPY`);
  return {
    url: databaseUrl(adminUrl, name),
    drop: () => execute(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** A database of its own in which nothing is yet. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const { adminUrl, databasePrefix } = await askForTestPostgres();
  const name = `${databasePrefix}_${randomBytes(6).toString('hex')}`;
  await execute(adminUrl, `CREATE DATABASE ${name}`);
  return {
    url: databaseUrl(adminUrl, name),
    drop: () => execute(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** A copy of a test database as it is now, as a backup would be. Whoever was connected to it has to connect again. */
export async function copyDatabase(url: string): Promise<TestDatabase> {
  const { adminUrl, databasePrefix } = await askForTestPostgres();
  const from = new URL(url).pathname.slice(1);
  const name = `${databasePrefix}_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [
      from,
    ]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY`);
  } finally {
    await client.end();
  }
  return {
    url: databaseUrl(adminUrl, name),
    drop: () => execute(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function askForTestPostgres(): Promise<TestPostgres> {
  const answer = await fetch(inject('testPostgresUrl'));
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as TestPostgres;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
