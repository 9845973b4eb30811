import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { useCrashes } from '../../../test/crashes/use-crashes.ts';
import { askEmailChange, linkIn, moveTo } from '../../../test/factories/email-changes.ts';
import { nextNumber } from '../../../test/factories/invoices.ts';
import { makeOffer } from '../../../test/factories/offers.ts';
import { signInUser, startSessionOf, TEST_PASSWORD } from '../../../test/factories/users.ts';
import { useMailServer } from '../../../test/mail/mail-server.ts';
import { outgoingMail } from '../../db/schema/operations.ts';
import { appUser } from '../../db/schema/people.ts';
import { deliverMail } from '../../mail/deliver-mail.ts';

// Each test starts its own process, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const mailServer = useMailServer();
const portal = useTestApp(async () => ({ SMTP_URL: mailServer.url }));
const { crashAt, testThatAllWereReached } = useCrashes(portal, 'account');
const db = () => portal.deps.db.query;

const NEW_PASSWORD = 'another long enough sentence';
const freshEmail = () => `crash${nextNumber()}@example.com`;
const userOf = async (userId: string) => (await db().select().from(appUser).where(eq(appUser.id, userId)))[0];
const post = (path: string, body: unknown, token?: string) =>
  call(portal, 'POST', path, { body, ...(token !== undefined && { token }) });

/** Delivers everything queued and returns the subjects that arrived at an address. */
async function subjectsAt(email: string): Promise<(string | undefined)[]> {
  await db().update(outgoingMail).set({ leaseUntil: null });
  await deliverMail(portal.deps);
  return mailServer.received.filter((mail) => mail.to?.[0]?.address === email).map((mail) => mail.subject);
}

describe('somebody confirms a new address, and the process is killed', () => {
  test.each([
    ['63-inside-email-change', false, 204],
    ['64-email-changed', true, 400],
  ] as const)('%s: moved is %s, and the repeat hears %i', async (point, isMoved, status) => {
    const user = await signInUser(portal);
    const email = freshEmail();
    await askEmailChange(portal, user, email);
    const link = await linkIn(portal, { kind: 'email-change', to: email });
    const crashing = await crashAt(point);
    expect(await crashing.post('/authentication/email/confirm', link)).toBeNull();
    await crashing.killed();
    expect((await userOf(user.userId))?.email).toBe(isMoved ? email : user.email);
    expect((await post('/authentication/email/confirm', link)).statusCode).toBe(status);
    expect((await userOf(user.userId))?.email).toBe(email);
    const told = (await subjectsAt(user.email)).filter((each) => each === 'Your email address was changed');
    expect(told).toHaveLength(1);
  });
});

describe('somebody undoes that, and the process is killed', () => {
  test('65-inside-undo: nothing happened, and the link still works', async () => {
    const user = await signInUser(portal);
    const email = freshEmail();
    const body = { ...(await moveTo(portal, user, email)), password: NEW_PASSWORD };
    const crashing = await crashAt('65-inside-undo');
    expect(await crashing.post('/authentication/email/undo', body)).toBeNull();
    await crashing.killed();
    expect((await userOf(user.userId))?.email).toBe(email);
    expect((await call(portal, 'GET', '/user', { token: user.token })).statusCode).toBe(200);
    expect((await post('/authentication/email/undo', body)).statusCode).toBe(204);
    expect((await userOf(user.userId))?.email).toBe(user.email);
    expect((await post('/authentication/email/undo', body)).statusCode).toBe(400);
  });
});

describe('somebody changes the password, and the process is killed', () => {
  test('66-password-changed: it is changed, the others are signed out, and one mail says so', async () => {
    const user = await signInUser(portal);
    const other = await startSessionOf(portal.deps, user);
    const body = { password: TEST_PASSWORD, newPassword: NEW_PASSWORD };
    const crashing = await crashAt('66-password-changed');
    expect(await crashing.post('/user/password', body, { token: user.token })).toBeNull();
    await crashing.killed();
    expect((await post('/user/password', body, user.token)).json()).toMatchObject({
      status: 400,
      errors: [{ code: 'PasswordMismatch' }],
    });
    const refreshed = await post('/authentication/refresh', { refreshToken: other.refreshToken });
    expect(refreshed.statusCode).toBe(401);
    const login = { email: user.email, password: NEW_PASSWORD };
    expect((await post('/authentication/login', login)).statusCode).toBe(200);
    expect(await subjectsAt(user.email)).toEqual(['Your password was changed']);
  });
});

describe('somebody closes the account, and the process is killed', () => {
  test('67-inside-close: nothing happened, and closing works', async () => {
    const user = await signInUser(portal);
    const body = { password: TEST_PASSWORD };
    const crashing = await crashAt('67-inside-close');
    expect(await crashing.post('/user/close', body, { token: user.token })).toBeNull();
    await crashing.killed();
    expect(await userOf(user.userId)).toMatchObject({ email: user.email, active: true, closedAt: null });
    expect((await post('/user/close', body, user.token)).statusCode).toBe(204);
    expect(await subjectsAt(user.email)).toEqual(['Your account is closed']);
  });

  test('68-closed: it is closed, once', async () => {
    const user = await signInUser(portal);
    const body = { password: TEST_PASSWORD };
    const crashing = await crashAt('68-closed');
    expect(await crashing.post('/user/close', body, { token: user.token })).toBeNull();
    await crashing.killed();
    expect(await userOf(user.userId)).toMatchObject({ active: false, firstName: '', lastName: '' });
    const refreshed = await post('/authentication/refresh', { refreshToken: user.refreshToken });
    expect(refreshed.statusCode).toBe(401);
    expect(await subjectsAt(user.email)).toEqual(['Your account is closed']);
  });
});

describe('somebody takes a guest’s payment along, and the process is killed', () => {
  test.each([
    ['69-inside-offer', false],
    ['70-offer-used', true],
  ] as const)('%s: done is %s, and the repeat succeeds', async (point, isDone) => {
    const user = await signInUser(portal);
    const { offer, locationId } = await makeOffer(portal.deps);
    const locations = async () => (await call(portal, 'GET', '/user/location', { token: user.token })).json();
    const crashing = await crashAt(point);
    expect(await crashing.post('/user/offer', { token: offer }, { token: user.token })).toBeNull();
    await crashing.killed();
    expect(await locations()).toHaveLength(isDone ? 1 : 0);
    expect((await post('/user/offer', { token: offer }, user.token)).statusCode).toBe(204);
    expect(await locations()).toMatchObject([{ locationId }]);
    expect(await subjectsAt(user.email)).toEqual(['A location was added to your account']);
  });
});

testThatAllWereReached();
