import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database/postgres.ts';
import { type Database, openDatabase, sqlState } from '../client.ts';
import { type OwnConnection, openOwnConnection } from '../own-connection.ts';
import { query } from '../query.ts';
import { createWakeUps } from '../wake-ups.ts';
import { inOneTrip } from './in-one-trip.ts';

let testDatabase: TestDatabase;
let database: Database;
let connection: OwnConnection;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ url: testDatabase.url, poolSize: 1 });
  connection = await openOwnConnection({
    url: testDatabase.url,
    applicationName: 'test',
    wakeUps: createWakeUps(),
  });
  await database.pool.query('CREATE TABLE step (n integer UNIQUE)');
});

afterAll(async () => {
  await connection.close();
  await database.close();
  await testDatabase.drop();
});

const write = (tx: Database['query'], n: number) =>
  query<{ before: number }>(tx, { plan: 'once' })`
    INSERT INTO step VALUES (${n}) RETURNING (SELECT count(*) FROM step)::integer AS before`;

describe.each([
  ['in the pool', () => database],
  ['on a connection that takes one statement at a time', () => connection],
])('statements that are sent together %s', (_where, db) => {
  test('run in order, each seeing the results of the previous one', async () => {
    const answers = await db().transaction(async (tx) => {
      const all = await inOneTrip(
        tx,
        [1, 2, 3].map((n) => () => write(tx, n)),
      );
      await query(tx)`DELETE FROM step`;
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
    const rows = await query(db().query)`SELECT count(*)::integer AS "left" FROM step`;
    expect(rows).toEqual([{ left: 0 }]);
  });
});
