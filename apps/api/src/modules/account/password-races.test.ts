import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { overtake } from '../../../test/database/overtake.ts';
import { type SignedInUser, signInUser, TEST_PASSWORD } from '../../../test/factories/users.ts';
import { mailsTo } from '../../../test/mail/mailbox.ts';
import { appUser } from '../../db/schema/people.ts';
import type { Deps } from '../../deps.ts';
import { createMailLink } from '../auth/mailbox/mail-tokens.ts';
import { hashPassword } from '../auth/passwords/password-hash.ts';
import { resetPassword } from '../auth/passwords/reset-password.ts';
import { swapPasswordHash } from '../auth/users/users.queries.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;
const RESET_PASSWORD = 'chosen by the owner herself';

beforeEach(async () => {
  await db().execute('DELETE FROM limit_counter');
});

async function reset(deps: Deps, { email }: SignedInUser): Promise<void> {
  const link = await portal.deps.db.transaction((tx) =>
    createMailLink(deps, tx, { purpose: 'reset', email }),
  );
  const token = new URL(link).searchParams.get('t') ?? '';
  const done = await resetPassword(deps, { email, token, password: RESET_PASSWORD, ip: '203.0.113.9' });
  expect(done).toEqual({ ok: true, value: undefined });
}

test.each([
  ['closing the account', '/user/close', {}],
  ['changing the address', '/user/email', { email: 'intruder@example.com' }],
  ['downloading the data', '/user/export', {}],
  ['changing the password', '/user/password', { newPassword: 'chosen by an intruder' }],
])('%s is refused if a reset overtakes it', async (_what, path, given) => {
  const user = await signInUser(portal);
  const answer = await overtake(portal, {
    userId: user.userId,
    startCall: () =>
      call(portal, 'POST', path, { token: user.token, body: { password: TEST_PASSWORD, ...given } }),
    act: (deps) => reset(deps, user),
  });
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ code: 'PasswordMismatch' }] });
  const [row] = await db().select().from(appUser).where(eq(appUser.id, user.userId));
  expect(row).toMatchObject({ email: user.email, active: true });
  expect((await mailsTo(portal, user.email)).map(({ kind }) => kind)).toEqual(['password-changed']);
  const body = { email: user.email, password: RESET_PASSWORD };
  expect((await call(portal, 'POST', '/authentication/login', { body })).statusCode).toBe(200);
});

test('a right password stays right if a sign-in renews its outdated hash meanwhile', async () => {
  const from = await hash(TEST_PASSWORD, { memoryCost: 4096, timeCost: 1 });
  const user = await signInUser(portal, { passwordHash: from });
  const to = await hashPassword(TEST_PASSWORD);
  const { userId } = user;
  const answer = await overtake(portal, {
    userId,
    startCall: () =>
      call(portal, 'POST', '/user/password', {
        token: user.token,
        body: { password: TEST_PASSWORD, newPassword: RESET_PASSWORD },
      }),
    act: (deps) => deps.db.transaction((tx) => swapPasswordHash(tx, { userId, from, to })),
  });
  expect([answer.statusCode, answer.body]).toEqual([204, '']);
});
