import { inject } from 'vitest';
import { execute, makeDatabase, type TestDatabase } from './make-database.ts';
import type { TestPostgres } from './test-postgres.ts';

export type { TestDatabase };

/** An empty, migrated database, copied from the run's template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return makeDatabase(await askForTestPostgres());
}

/** A database without any tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return makeDatabase(await askForTestPostgres(), { from: null });
}

/** Copies a test database in its current state, like a backup. Its existing connections are dropped. */
export async function copyDatabase(url: string): Promise<TestDatabase> {
  const postgres = await askForTestPostgres();
  const from = new URL(url).pathname.slice(1);
  await execute(
    postgres.adminUrl,
    'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1',
    [from],
  );
  return makeDatabase(postgres, { from });
}

async function askForTestPostgres(): Promise<TestPostgres> {
  const answer = await fetch(inject('testPostgresUrl'));
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as TestPostgres;
}
