import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database/postgres.ts';
import { type Database, openDatabase, sqlState } from './client.ts';
import { query } from './query.ts';
import { inLastTrip, inOneTrip } from './statements/in-one-trip.ts';

let own: TestDatabase;
let database: Database;

beforeEach(async () => {
  own = await createTestDatabase();
  database = openDatabase({ url: own.url, poolSize: 1 });
  await database.pool.query('CREATE TABLE step (n integer)');
});

afterEach(async () => {
  await database.close();
  await own.drop();
});

const read = (tx: Database['query']) =>
  query<{ count: number }>(tx, { plan: 'once' })`SELECT count(*)::integer AS count FROM step`;
const write = (tx: Database['query'], n: number) =>
  query(tx, { plan: 'once' })`INSERT INTO step SELECT unnest(${sql.param([n])}::integer[])`;

/** The pool's only connection. */
async function withClient<T>(work: (client: pg.Client) => T): Promise<T> {
  const client = await database.pool.connect();
  try {
    return work(client as unknown as pg.Client);
  } finally {
    client.release();
  }
}

test('statements sent behind a failed BEGIN change nothing', async () => {
  await withClient((client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) =>
      query(...(String(given[0]).startsWith('begin') ? ['SELECT 1 / 0'] : given))) as typeof client.query;
  });
  const failed = database.briefTransaction(async (tx) => {
    await read(tx);
    await write(tx, 1);
  });
  await expect(failed).rejects.toThrow();
  // The pool opens a new connection.
  expect(await read(database.query)).toEqual([{ count: 0 }]);
});

test.each([
  ['in its own write', inOneTrip, 3],
  ['with its last statements', inLastTrip, 2],
])('sends a transaction of two steps and its COMMIT %s', async (_how, inTrip, expected) => {
  // A statement's text is sent only the first time, when it is parsed.
  const work = async (tx: Database['query']) => {
    await inOneTrip(tx, [() => read(tx), () => read(tx)]);
    await inTrip(tx, [() => write(tx, 1), () => write(tx, 2), () => read(tx)]);
  };
  await database.briefTransaction(work);
  let writes = 0;
  await withClient(({ connection: { stream } }) => {
    const { _write, _writev } = stream as unknown as Record<
      '_write' | '_writev',
      (...given: unknown[]) => void
    >;
    const counted = (send: (...given: unknown[]) => void) =>
      function (this: unknown, ...given: unknown[]) {
        writes += 1;
        send.apply(this, given);
      };
    Object.assign(stream, { _write: counted(_write), _writev: counted(_writev) });
  });
  await database.briefTransaction(work);
  expect(writes).toBe(expected);
});

test('rolls back and reports the failure if one of the last statements fails', async () => {
  const failed = database.briefTransaction(async (tx) => {
    await read(tx);
    await inLastTrip(tx, [
      () => write(tx, 1),
      () => query(tx, { plan: 'once' })`SELECT 1 / (SELECT count(*) - 1 FROM step)`,
      () => write(tx, 2),
    ]);
  });
  await expect(failed).rejects.toSatisfy((error) => sqlState(error) === '22012');
  expect(await read(database.query)).toEqual([{ count: 0 }]);
});

test('refuses statements behind an unanswered COMMIT, which would commit on their own', async () => {
  const committed = database.briefTransaction(async (tx) => {
    await read(tx);
    await inLastTrip(tx, [() => write(tx, 1), () => Promise.resolve().then(() => write(tx, 2))]);
  });
  await expect(committed).rejects.toMatchObject({
    cause: { message: expect.stringContaining('a statement behind a COMMIT') },
  });
  expect(await read(database.query)).toEqual([{ count: 1 }]);
});

test('uses one generic plan, and resets the plan mode for the next transaction', async () => {
  for (const n of [1, 2, 3]) await database.briefTransaction((tx) => read(tx).then(() => write(tx, n)));
  const { rows } = await database.pool.query<{ custom: number; mode: string }>(
    `SELECT custom_plans::integer AS custom, current_setting('plan_cache_mode') AS mode FROM pg_prepared_statements
      WHERE statement LIKE '%INSERT INTO step%' AND name <> ''`,
  );
  expect(rows).toEqual([{ custom: 0, mode: 'auto' }]);
});
