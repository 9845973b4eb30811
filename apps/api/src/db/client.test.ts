import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database/postgres.ts';
import { allowTime } from './allow-time.ts';
import { clientOf, type Database, openDatabase } from './client.ts';
import { timeAllowed } from './time-allowed.ts';

let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  database = openDatabase({ url: own.url, poolSize: 2 });
});

afterAll(async () => {
  await database.close();
  await own.drop();
});

test('a connection that breaks between two statements fails only the next one', async () => {
  const broken = database.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
    await database.query.execute(sql`SELECT pg_terminate_backend(${rows[0]?.pid}, 5000)`);
    // Let the termination arrive first, so that the connection's error belongs to no statement.
    await turn();
    await tx.execute(sql`SELECT 1`);
  });
  await expect(broken).rejects.toThrow();
  const { rows } = await database.query.execute(sql`SELECT 1 AS answer`);
  expect(rows).toEqual([{ answer: 1 }]);
});

test('a connection that breaks before BEGIN is returned to the pool', async () => {
  for (const _ of [1, 2, 3]) {
    database.pool.once('acquire', (client) => {
      (client as unknown as pg.Client).connection.stream.destroy();
    });
    await expect(database.transaction(async () => {})).rejects.toThrow();
  }
  await expect(database.transaction(async () => 'done')).resolves.toBe('done');
});

test('applies a transaction’s time limit to its statements, and the pool’s to what follows', async () => {
  let connection: pg.Connection | undefined;
  await database.transaction(async (tx) => {
    await allowTime(tx, { milliseconds: 20_000 });
    ({ connection } = clientOf(tx) as pg.Client);
    expect(timeAllowed(connection)).toBe(20_000);
    // Longer than the pool's timeout.
    const { rows } = await tx.execute(sql`SELECT 'done' AS answer FROM pg_sleep(6.5)`);
    expect(rows).toEqual([{ answer: 'done' }]);
  });
  expect(connection && timeAllowed(connection)).toBeUndefined();
  const { rows } = await database.pool.query('SHOW statement_timeout');
  expect(rows).toEqual([{ statement_timeout: '5s' }]);
});
