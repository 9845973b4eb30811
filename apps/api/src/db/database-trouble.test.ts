import { type AddressInfo, createServer } from 'node:net';
import { DrizzleQueryError } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../../test/database/postgres.ts';
import { openDatabase } from './client.ts';
import { databaseTrouble } from './database-trouble.ts';
import { openOwnConnection } from './own-connection.ts';

const failed = (code: string) =>
  new DrizzleQueryError('SELECT', [], Object.assign(new Error('refused'), { code }));

test.each(['55P03', '57014', '40001', '40P01'])('after %s nothing was done', (state) => {
  expect(databaseTrouble(failed(state))).toBe('locked');
});

test.each([
  ...['57P01', '57P04', '08006', '53300', '58030', '25006', '55000'],
  ...['ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH'],
])('after %s nobody knows whether it was done', (state) => {
  expect(databaseTrouble(failed(state))).toBe('lost');
});

test('a statement’s values are not read as what went wrong', () => {
  const cause = Object.assign(new Error('refused'), { code: '23514' });
  expect(databaseTrouble(new DrizzleQueryError('INSERT', ['connection error'], cause))).toBeNull();
});

describe('whatever keeps us from connecting is a lost connection', () => {
  let database: TestDatabase;
  /** Agrees to TLS and then speaks something else. */
  const garbler = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.once('data', () => socket.end('no TLS'));
      socket.write('S');
    });
  });
  beforeAll(async () => {
    database = await createEmptyDatabase();
    await new Promise<void>((resolve) => garbler.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    garbler.close();
    await database.drop();
  });

  const garblerPort = () => String((garbler.address() as AddressInfo).port);
  const at = (given: Partial<URL>) => Object.assign(new URL(database.url), given).href;
  test.each([
    ['a wrong password', () => at({ password: 'another' })],
    ['an unknown role', () => at({ username: 'nobody' })],
    ['a database that is gone', () => at({ pathname: '/no_such_database' })],
    ['nobody listening', () => at({ port: '1' })],
    ['a name that is not found', () => at({ hostname: 'no-such-host.invalid' })],
    ['no socket', () => 'postgres:///brightpane?host=/nowhere'],
    ['a server without TLS', () => at({ search: '?sslmode=verify-full' })],
    ['a TLS that fails', () => at({ port: garblerPort(), search: '?sslmode=verify-full' })],
  ])('%s', async (_what, url) => {
    const pooled = openDatabase({ url: url() });
    const errors = [
      await pooled.query.execute('SELECT 1').catch((error: unknown) => error),
      await pooled.transaction(async () => {}).catch((error: unknown) => error),
      await openOwnConnection({ url: url(), applicationName: 'own', wakeUps: pooled.wakeUps }).catch(
        (error: unknown) => error,
      ),
    ];
    expect(errors.map(databaseTrouble)).toEqual(['lost', 'lost', 'lost']);
    await pooled.close();
  });
});

test('a wrong statement does not count as database trouble', () => {
  expect(databaseTrouble(failed('42P01'))).toBeNull();
  expect(databaseTrouble(new Error('of ours'))).toBeNull();
});
