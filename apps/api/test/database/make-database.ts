import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { databaseUrl } from './database-url.ts';
import type { TestPostgres } from './test-postgres.ts';

export type TestDatabase = { url: string; drop(): Promise<void> };

/** Makes a database: a copy of the run's migrated template, a copy of another one, or an empty one. */
export async function makeDatabase(
  { adminUrl, templateName, databasePrefix }: TestPostgres,
  { from = templateName }: { from?: string | null } = {},
): Promise<TestDatabase> {
  const name = `${databasePrefix}_${randomBytes(6).toString('hex')}`;
  const copied = from === null ? '' : `TEMPLATE ${from} STRATEGY FILE_COPY`;
  await execute(adminUrl, `CREATE DATABASE ${name} ${copied}`);
  return {
    url: databaseUrl(adminUrl, name),
    drop: () => execute(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

export async function execute(url: string, sql: string, values: unknown[] = []): Promise<void> {
  await ask(url, sql, values);
}

/** Queries on a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(url, async (client) => (await client.query<Row>(sql, values)).rows);
}

/** Works on a connection of its own. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
