import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database/postgres.ts';
import { type Database, openDatabase, sqlState } from '../client.ts';
import { openSession, type Session } from '../session.ts';
import { createWakeUps } from '../wake-ups.ts';
import { executePrepared } from './execute-prepared.ts';
import { inOneTrip } from './in-one-trip.ts';

let testDatabase: TestDatabase;
let database: Database;
let session: Session;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ url: testDatabase.url, poolSize: 1 });
  session = await openSession({
    url: testDatabase.url,
    applicationName: 'test',
    wakeUps: createWakeUps(),
  });
  await database.pool.query('CREATE TABLE step (n integer UNIQUE)');
});

afterAll(async () => {
  await session.close();
  await database.close();
  await testDatabase.drop();
});

const write = (tx: Database['query'], n: number) =>
  executePrepared<{ before: number }>(
    tx,
    sql`INSERT INTO step VALUES (${n}) RETURNING (SELECT count(*) FROM step)::integer AS before`,
  );

describe.each([
  ['in the pool', () => database],
  ['on a connection that takes one statement at a time', () => session],
])('statements that are sent together %s', (_where, db) => {
  test('run in order, each seeing the results of the previous one', async () => {
    const answers = await db().transaction(async (tx) => {
      const all = await inOneTrip(
        tx,
        [1, 2, 3].map((n) => () => write(tx, n)),
      );
      await tx.execute(sql`DELETE FROM step`);
      return all;
    });
    expect(answers.map(([row]) => row?.before)).toEqual([0, 1, 2]);
  });

  test('are all undone if one fails, and its failure is thrown', async () => {
    const failed = db().transaction((tx) =>
      inOneTrip(tx, [() => write(tx, 4), () => write(tx, 4), () => write(tx, 5)]),
    );
    await expect(failed).rejects.toSatisfy((error) => sqlState(error) === '23505');
    // Read on the same connection: a straggler would have written after the rollback.
    const { rows } = await db().query.execute(sql`SELECT count(*)::integer AS "left" FROM step`);
    expect(rows).toEqual([{ left: 0 }]);
  });
});

test('plans a prepared statement once per connection', async () => {
  for (const n of [10, 11, 12]) await database.transaction((tx) => write(tx, n));
  const { rows } = await database.pool.query<{ calls: number }>(
    `SELECT (generic_plans + custom_plans)::integer AS calls FROM pg_prepared_statements
      WHERE statement LIKE 'INSERT INTO step%'`,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.calls).toBeGreaterThanOrEqual(3);
});
