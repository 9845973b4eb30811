import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Env } from '../../env.ts';
import { migrate } from '../migrate.ts';
import { UnreachableDatabase } from './connect-to-prepare.ts';
import { grantReaderRights } from './grant-rights.ts';
import { prepareDatabase } from './prepare-database.ts';

test('a start ends at a database that takes connections and is silent', async () => {
  const taken: Socket[] = [];
  const silent = createServer((socket) => void taken.push(socket));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of taken) socket.destroy();
    silent.close();
  });
  const url = `postgres://owner@127.0.0.1:${(silent.address() as AddressInfo).port}/portal`;
  await Promise.all([
    expect(migrate(url)).rejects.toThrow('The database cannot be reached'),
    expect(grantReaderRights({ ownerUrl: url, role: 'reader' })).rejects.toThrow('cannot be reached'),
  ]);
});

const MISSING = 'postgres://portal:hush@127.0.0.1/portal?sslrootcert=/nowhere/ca.crt';

test.each([
  ['DATABASE_URL', { DATABASE_URL: MISSING }],
  [
    'MIGRATION_DATABASE_URL',
    { DATABASE_URL: 'postgres://127.0.0.1/portal', MIGRATION_DATABASE_URL: MISSING },
  ],
])('a start names %s, whose certificate is missing, and repeats no password', async (name, env) => {
  const failed: Error = await prepareDatabase(env as Env).catch((error) => error);
  expect(failed.message).toBe(
    `The database of ${name} cannot be reached: ENOENT: no such file or directory, open '/nowhere/ca.crt'`,
  );
  expect(inspect(failed)).not.toContain('hush');
});

test('a start says why there is no connection where the database’s name has several addresses', () => {
  const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(new UnreachableDatabase(MISSING, cause).why).toBe('ECONNREFUSED');
});
