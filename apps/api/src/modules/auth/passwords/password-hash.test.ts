import { expect, test } from 'vitest';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { hashPassword, isOutdatedHash, NOBODYS_HASH, verifyPassword } from './password-hash.ts';

const portal = useTestApp();

test('the database holds hashes that are slow to guess, and no password or token in plain text', async () => {
  const password = 'nobody may find these words';
  const email = 'zoe@example.com';
  const person = { email, firstName: 'Zoe', lastName: 'Miller', password };
  await call(portal, 'POST', '/user/register', { body: person });
  await portal.deps.db.pool.query('UPDATE app_user SET email_confirmed_at = now()');
  const login = await call(portal, 'POST', '/authentication/login', { body: { email, password } });
  const { accessToken, refreshToken } = login.json<{ accessToken: string; refreshToken: string }>();

  const { rows: tables } = await portal.deps.db.pool.query<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const dump: string[] = [];
  for (const { name } of tables) {
    const { rows } = await portal.deps.db.pool.query<{ line: string }>(
      `SELECT t::text AS line FROM ${name} t`,
    );
    dump.push(...rows.map(({ line }) => line));
  }
  const whole = dump.join('\n');
  expect(whole).toContain(email);
  for (const secret of [password, accessToken, refreshToken]) expect(whole).not.toContain(secret);

  const { rows: users } = await portal.deps.db.pool.query('SELECT password_hash AS hash FROM app_user');
  expect(users).toHaveLength(1);
  const argon2id = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
  for (const { hash } of users) expect(hash).toMatch(argon2id);
});

test('the hash for missing accounts looks and costs like any other, and matches no password', async () => {
  const shape = (hash: string) => hash.replace(/[^$]+\$[^$]+$/, (secret) => `${secret.length}`);
  expect(shape(NOBODYS_HASH)).toBe(shape(await hashPassword('somebody has this one')));
  expect(isOutdatedHash(NOBODYS_HASH)).toBe(false);
  expect(await verifyPassword(NOBODYS_HASH, 'somebody has this one')).toBe(false);
});
