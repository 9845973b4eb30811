import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './postgres.ts';

test('two test databases are migrated, and know nothing of each other', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await query(one.url, 'CREATE TABLE mine (id integer)');
  expect(await tablesNamed(one.url, 'mine')).toBe(1);
  expect(await tablesNamed(other.url, 'mine')).toBe(0);
  expect(await tablesNamed(other.url, 'invoice')).toBe(1);
  await Promise.all([one.drop(), other.drop()]);
});

test('a dropped test database is gone even while somebody is connected', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  await database.drop();
  await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
});

async function tablesNamed(url: string, name: string): Promise<number> {
  const { rowCount } = await query(
    url,
    `SELECT 1 FROM information_schema.tables WHERE table_name = '${name}'`,
  );
  return rowCount ?? 0;
}

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
