import { hash } from '@node-rs/argon2';
import { and, eq, isNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { overtake } from '../../../../test/database/overtake.ts';
import { makeUser, TEST_PASSWORD } from '../../../../test/factories/users.ts';
import { PORTAL } from '../../../db/audit.queries.ts';
import { appUser, knownAddress, session } from '../../../db/schema/people.ts';
import type { Deps } from '../../../deps.ts';
import { switchUser } from '../../office/switch-user.ts';
import { createMailLink } from '../mailbox/mail-tokens.ts';
import { resetPassword } from '../passwords/reset-password.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;

const NEW_PASSWORD = 'a new one for the same windows';

const signIn = (email: string, password = TEST_PASSWORD) =>
  call(portal, 'POST', '/authentication/login', { body: { email, password } });

/** Commits `act` between a sign-in's password check and its first write. */
const overlapSignIn = (user: { userId: string; email: string }, act: (deps: Deps) => Promise<unknown>) =>
  overtake(portal, { userId: user.userId, startCall: () => signIn(user.email), act });

async function reset(deps: Deps, { email }: { email: string }): Promise<void> {
  const link = await portal.deps.db.transaction((tx) =>
    createMailLink(deps, tx, { purpose: 'reset', email }),
  );
  const token = new URL(link).searchParams.get('t') ?? '';
  const done = await resetPassword(deps, { email, token, password: NEW_PASSWORD, ip: '203.0.113.9' });
  expect(done).toEqual({ ok: true, value: undefined });
}

const liveSessions = (userId: string) =>
  db()
    .select()
    .from(session)
    .where(and(eq(session.userId, userId), isNull(session.endedAt)));

async function makeUserWithOldHash() {
  const passwordHash = await hash(TEST_PASSWORD, { memoryCost: 4096, timeCost: 1 });
  return { ...(await makeUser(portal, { passwordHash })), passwordHash };
}

test('a sign-in that overlaps a reset is judged by the new password', async () => {
  const user = await makeUser(portal);
  const answer = await overlapSignIn(user, (deps) => reset(deps, user));
  expect(answer.json()).toMatchObject({ status: 401, detail: 'Failed' });
  expect(await liveSessions(user.userId)).toEqual([]);
  // Nor is the sign-in's address remembered as the owner's.
  const known = await db().select().from(knownAddress).where(eq(knownAddress.userId, user.userId));
  expect(known).toHaveLength(1);
  expect((await signIn(user.email, NEW_PASSWORD)).statusCode).toBe(200);
});

test('refuses a sign-in that overlaps switching off as locked out', async () => {
  const user = await makeUser(portal);
  const answer = await overlapSignIn(user, (deps) =>
    switchUser(deps, { ...user, active: false, by: PORTAL }),
  );
  expect(answer.json()).toMatchObject({ status: 401, detail: 'LockedOut' });
  expect(await liveSessions(user.userId)).toEqual([]);
});

test('renewing a hash does not restore the old password over a reset', async () => {
  const user = await makeUserWithOldHash();
  const answer = await overlapSignIn(user, (deps) => reset(deps, user));
  expect(answer.json()).toMatchObject({ status: 401, detail: 'Failed' });
  expect((await signIn(user.email)).json()).toMatchObject({ detail: 'Failed' });
  expect((await signIn(user.email, NEW_PASSWORD)).statusCode).toBe(200);
});

test('sign-ins that renew the same hash at once all succeed', async () => {
  const user = await makeUserWithOldHash();
  const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(user.email)));
  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200]);
  const [row] = await db().select().from(appUser).where(eq(appUser.id, user.userId));
  expect(row?.passwordHash).not.toBe(user.passwordHash);
});
