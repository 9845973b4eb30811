import type { EventEmitter } from 'node:events';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database/postgres.ts';
import { describeError } from '../log.ts';
import { type Database, openDatabase, sqlState } from './client.ts';
import { onlyRow, query } from './query.ts';

let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  database = openDatabase({ url: own.url, poolSize: 1 });
});

afterAll(async () => {
  await database.close();
  await own.drop();
});

test.each(['each-time', 'once'] as const)(
  'a statement planned %s gives its values as the driver reads them',
  async (plan) => {
    const rows = await query(database.query, { plan })`
    SELECT ${7}::bigint AS cents, ${'2026-11-30'}::date AS day, ${new Date(0)}::timestamptz AS at, ${true}::boolean AS "isSo",
           ${Buffer.from('a')}::bytea AS hash, ${JSON.stringify({ a: 1 })}::jsonb AS body, ${null}::text AS nothing`;
    expect(rows).toEqual([
      {
        cents: 7,
        day: '2026-11-30',
        at: new Date(0),
        isSo: true,
        hash: Buffer.from('a'),
        body: { a: 1 },
        nothing: null,
      },
    ]);
  },
);

test('pieces become part of the text, and anything else is bound', async () => {
  const isSmall = (most: number) => sql`n <= ${most}`;
  const given = `1'; DROP TABLE franchise; --`;
  const rows = await query(database.query)`
    SELECT n, ${given}::text AS given FROM unnest(${sql.param([1, 2, 3])}::integer[]) AS n WHERE ${isSmall(2)}`;
  expect(rows).toEqual([
    { n: 1, given },
    { n: 2, given },
  ]);
});

test('a statement to be planned once is planned once a connection, whatever it is asked, and no other is kept', async () => {
  for (const n of [10, 11, 12]) {
    await query(database.query, { plan: 'once' })`SELECT ${n}::integer AS kept`;
    await query(database.query)`SELECT ${n}::integer AS "not kept"`;
  }
  const { rows } = await database.pool.query<{ statement: string; calls: number }>(
    `SELECT statement, (generic_plans + custom_plans)::integer AS calls FROM pg_prepared_statements
      WHERE statement LIKE '%kept%' AND name <> ''`,
  );
  expect(rows).toEqual([{ statement: 'SELECT $1::integer AS kept', calls: 3 }]);
});

test('Postgres describes the columns of a kept statement once a connection', async () => {
  const client = (await database.pool.connect()) as pg.PoolClient & { connection: EventEmitter };
  let descriptions = 0;
  const count = () => descriptions++;
  client.connection.on('rowDescription', count);
  client.release();
  const ask = (most: number) => query(database.query, { plan: 'once' })`
    SELECT n AS described, NULLIF(n, 2)::bigint AS "notTwo" FROM generate_series(1, ${most}::integer) AS n`;
  expect([await ask(2), await ask(0), await ask(1)]).toEqual([
    [
      { described: 1, notTwo: 1 },
      { described: 2, notTwo: null },
    ],
    [],
    [{ described: 1, notTwo: 1 }],
  ]);
  client.connection.off('rowDescription', count);
  expect(descriptions).toBe(1);
});

test('a kept statement whose columns have changed is refused, as its rows would be read wrongly', async () => {
  await database.pool.query('CREATE TABLE changing (id bigint, name text)');
  await database.pool.query(`INSERT INTO changing VALUES (1, 'one')`);
  const ask = () => query(database.query, { plan: 'once' })`SELECT * FROM changing`;
  expect([await ask(), await ask()]).toEqual([[{ id: 1, name: 'one' }], [{ id: 1, name: 'one' }]]);
  await database.pool.query('ALTER TABLE changing RENAME name TO title');
  expect(sqlState(await ask().catch((error: unknown) => error))).toBe('0A000');
});

test.each(['each-time', 'once'] as const)(
  'a statement planned %s that fails is told with its text and its place',
  async (plan) => {
    const failed = query(database.query, { plan })`SELECT 1 / ${0}::integer`;
    const error = await failed.catch((reason: unknown) => reason);
    expect(sqlState(error)).toBe('22012');
    expect(describeError(error)).toMatchObject({
      query: 'SELECT 1 / $1::integer',
      code: '22012',
      stack: expect.stringContaining('query.test.ts'),
    });
  },
);

test('a row that a statement always returns is never made up', () => {
  expect(onlyRow([{ id: 'one' }])).toEqual({ id: 'one' });
  expect(() => onlyRow([])).toThrow('returned none');
});
