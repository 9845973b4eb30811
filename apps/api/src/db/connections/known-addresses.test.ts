import dns from 'node:dns';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database/postgres.ts';
import { type Database, openDatabase } from '../client.ts';
import { query } from '../query.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  url.hostname = 'localhost';
  db = openDatabase({ url: url.href, poolSize: 3 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const connectAgain = async () => {
  const client = await db.pool.connect();
  client.release(true);
};

test('connects to the last known address while no name server answers', async () => {
  await query(db.query)`SELECT 1`;
  await connectAgain();
  const asked = vi.spyOn(dns, 'lookup').mockImplementation((() => {}) as never);
  await connectAgain();
  await Promise.all([connectAgain(), connectAgain()]);
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockRestore();
});
