import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useCuttingProxy } from '../../test/database/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database/postgres.ts';
import { openOwnConnection } from './own-connection.ts';
import { query } from './query.ts';
import { createWakeUps } from './wake-ups.ts';

const line = useCuttingProxy();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const open = () =>
  openOwnConnection(
    { url: line.through(database.url), applicationName: 'test', wakeUps: createWakeUps() },
    { answerMilliseconds: 2_000, closeMilliseconds: 100 },
  );

test('a transaction on a line that has gone silent fails, and the connection closes', async () => {
  const connection = await open();
  const work = connection.transaction(async (tx) => {
    await query(tx)`SELECT 1`;
    line.silence();
    await query(tx)`SELECT 2`;
  });
  await expect(work).rejects.toThrow();
  await connection.close();
});

test('so does a COPY', async () => {
  const connection = await open();
  await query(connection.query)`CREATE TEMPORARY TABLE kept (line text)`;
  async function* lines() {
    yield 'first\n';
    line.silence();
    yield 'second\n';
  }
  await expect(pipeline(lines, connection.copyIn('COPY kept FROM STDIN'))).rejects.toThrow();
  await connection.close();
});

test('a connection that has gone silent between two statements closes too', async () => {
  const connection = await open();
  line.silence();
  await connection.close();
});
