import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { call, TEST_SECRETS, useTestApp } from '../../../test/build-test-app.ts';
import { useCrashes } from '../../../test/crashes/use-crashes.ts';
import { makeInvoice, nextNumber } from '../../../test/factories/invoices.ts';
import { makeUser, signInUser, TEST_PASSWORD } from '../../../test/factories/users.ts';
import { useMailServer } from '../../../test/mail/mail-server.ts';
import { newestLink } from '../../../test/mail/mailbox.ts';
import { callOffice } from '../../../test/office/office.ts';
import { customer } from '../../db/schema/franchises.ts';
import { outgoingMail } from '../../db/schema/operations.ts';
import { appUser, invitation, userCustomer, userLocation } from '../../db/schema/people.ts';
import { deliverMail } from '../../mail/deliver-mail.ts';
import { answerMailRequests } from './mailbox/answer-mail-requests.ts';

// Each test starts its own process, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const mailServer = useMailServer();
const portal = useTestApp(async () => ({ SMTP_URL: mailServer.url }));
const { crashAt, testThatAllWereReached } = useCrashes(portal, 'people');
const db = () => portal.deps.db.query;

const NEW_PASSWORD = 'another long enough sentence';
const newEmail = () => `crash${nextNumber()}@example.com`;
const details = (email: string) => ({
  email,
  firstName: 'Ana',
  lastName: 'Ruiz',
  password: TEST_PASSWORD,
});

async function userOf(email: string) {
  const [user] = await db().select().from(appUser).where(eq(appUser.email, email));
  return user;
}

/** Delivers everything queued and counts the mails that reach an address. */
async function countArriving(email: string): Promise<number> {
  await db().update(outgoingMail).set({ leaseUntil: null });
  await deliverMail(portal.deps);
  return mailServer.received.filter((mail) => mail.to?.[0]?.address === email).length;
}

describe('somebody signs up, and the process is killed', () => {
  test('53-inside-sign-up: there is nobody and no mail, and signing up works', async () => {
    const email = newEmail();
    const crashing = await crashAt('53-inside-sign-up');
    expect(await crashing.post('/user/register', details(email))).toBeNull();
    await crashing.killed();
    expect(await userOf(email)).toBeUndefined();
    expect(await countArriving(email)).toBe(0);
    expect((await call(portal, 'POST', '/user/register', { body: details(email) })).statusCode).toBe(204);
    expect(await countArriving(email)).toBe(1);
  });

  test('29-user-stored: the mail arrives, and signing up again begins anew', async () => {
    const email = newEmail();
    const crashing = await crashAt('29-user-stored');
    expect(await crashing.post('/user/register', details(email))).toBeNull();
    await crashing.killed();
    expect(await countArriving(email)).toBe(1);
    expect((await call(portal, 'POST', '/user/register', { body: details(email) })).statusCode).toBe(204);
    expect(await countArriving(email)).toBe(2);
  });
});

async function confirmation() {
  const { email } = await makeUser(portal, { emailConfirmedAt: null });
  await call(portal, 'POST', '/user/resendemailconfirmation', { body: { email } });
  const { token } = await newestLink(portal, email);
  return {
    path: '/user/confirm',
    body: { email, token },
    isDone: async () => (await userOf(email))?.emailConfirmedAt !== null,
  };
}

async function reset() {
  const { email } = await makeUser(portal);
  const before = (await userOf(email))?.passwordHash;
  await call(portal, 'POST', `/user/resetpassword?email=${email}`);
  const { token: passwordToken } = await newestLink(portal, email);
  return {
    path: '/user/confirmresetpassword',
    body: { email, passwordToken, password: NEW_PASSWORD },
    isDone: async () => (await userOf(email))?.passwordHash !== before,
  };
}

/** Invites somebody without an account to a customer's invoices. */
async function invite(email = newEmail()) {
  const { franchiseId, customerId } = await makeInvoice(db());
  const [row] = await db().select().from(customer).where(eq(customer.id, customerId));
  const body = { franchiseId, customerNumber: row?.number, email };
  return { customerId, email, body, send: () => callOffice(portal, 'POST', '/invitations', { body }) };
}

async function invitee() {
  const { customerId, email, send } = await invite();
  await send();
  const { token: passwordToken } = await newestLink(portal, email);
  return {
    path: '/user/acceptinvite',
    body: { ...details(email), passwordToken },
    isDone: async () => {
      const user = await userOf(email);
      const links = await db().select().from(userCustomer).where(eq(userCustomer.customerId, customerId));
      expect(links).toHaveLength(user ? 1 : 0);
      return user !== undefined;
    },
  };
}

describe.each([
  ['confirms an email', confirmation],
  ['sets a new password', reset],
  ['accepts an invitation with a new account', invitee],
] as const)('somebody %s, and the process is killed', (_what, prepare) => {
  test('30-token-half-spent: nothing is done or spent, and the same link works', async () => {
    const { path, body, isDone } = await prepare();
    const crashing = await crashAt('30-token-half-spent');
    expect(await crashing.post(path, body)).toBeNull();
    await crashing.killed();
    expect(await isDone()).toBe(false);
    expect((await call(portal, 'POST', path, { body })).statusCode).toBe(204);
    expect(await isDone()).toBe(true);
  });

  test('54-token-spent: it is done, and the same link is refused', async () => {
    const { path, body, isDone } = await prepare();
    const crashing = await crashAt('54-token-spent');
    expect(await crashing.post(path, body)).toBeNull();
    await crashing.killed();
    expect(await isDone()).toBe(true);
    expect((await call(portal, 'POST', path, { body })).statusCode).toBe(400);
    expect(await isDone()).toBe(true);
  });
});

test('56-inside-mail-request: a mail that was asked for is made once by whoever comes next', async () => {
  const { email } = await makeUser(portal);
  const crashing = await crashAt('56-inside-mail-request');
  await crashing.post(`/user/resetpassword?email=${email}`, undefined);
  await crashing.killed();
  expect(await countArriving(email)).toBe(0);
  await answerMailRequests(portal.deps);
  expect(await countArriving(email)).toBe(1);
});

describe('a session, and the process is killed', () => {
  test('31-refreshed: asked again, it gives the successor that nobody has heard of', async () => {
    const { refreshToken } = await signInUser(portal);
    const crashing = await crashAt('31-refreshed');
    expect(await crashing.post('/authentication/refresh', { refreshToken })).toBeNull();
    await crashing.killed();
    const ask = (body: object) => call(portal, 'POST', '/authentication/refresh', { body });
    const answers = [await ask({ refreshToken }), await ask({ refreshToken })];
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    const [first, second] = answers.map((answer) => answer.json<{ refreshToken: string }>().refreshToken);
    expect(second).toBe(first);
    expect((await ask({ refreshToken: first })).statusCode).toBe(200);
  });

  test('35-signed-out: its tokens are dead, and signing out again succeeds', async () => {
    const { refreshToken, token } = await signInUser(portal);
    const crashing = await crashAt('35-signed-out');
    expect(await crashing.post('/authentication/logout', { refreshToken })).toBeNull();
    await crashing.killed();
    const post = (path: string) => call(portal, 'POST', path, { body: { refreshToken } });
    expect((await post('/authentication/refresh')).statusCode).toBe(401);
    expect((await post('/authentication/logout')).statusCode).toBe(204);
    // Looks like an instance that started later.
    portal.now = new Date(portal.now.getTime() + 60_000);
    await vi.waitUntil(
      async () => (await call(portal, 'GET', '/user', { token })).statusCode === 401,
      60_000,
    );
  });
});

describe('locations are linked, and the process is killed', () => {
  async function byNumbers() {
    const user = await signInUser(portal);
    const { franchiseId, workOrderNumber, zipCode } = await makeInvoice(db());
    const links = () => db().select().from(userLocation).where(eq(userLocation.userId, user.userId));
    return { ...user, path: '/user/location', body: { franchiseId, workOrderNumber, zipCode }, links };
  }

  async function byInvitation() {
    const user = await signInUser(portal);
    await (await invite(user.email)).send();
    const links = () => db().select().from(userCustomer).where(eq(userCustomer.userId, user.userId));
    return { ...user, path: '/user/invitations', body: undefined, links };
  }

  test.each([
    ['55-inside-link', 'by three numbers', 0, byNumbers],
    ['32-linked', 'by three numbers', 1, byNumbers],
    ['55-inside-link', 'by an invitation', 0, byInvitation],
    ['32-linked', 'by an invitation', 1, byInvitation],
  ] as const)('%s, %s: %i link is there, and the repeat leaves one', async (point, _how, count, prepare) => {
    const { path, body, token, links } = await prepare();
    const crashing = await crashAt(point);
    expect(await crashing.post(path, body, { token })).toBeNull();
    await crashing.killed();
    expect(await links()).toHaveLength(count);
    expect((await call(portal, 'POST', path, { token, body })).statusCode).toBe(204);
    expect(await links()).toHaveLength(1);
  });
});

describe('an office invites somebody, and the process is killed', () => {
  test.each([
    ['57-inside-invite', 0],
    ['58-invited', 1],
  ] as const)(
    '%s: %i invitation and mail is there, and the repeat leaves one invitation',
    async (point, count) => {
      const { email, body, send } = await invite();
      const invitations = () => db().select().from(invitation).where(eq(invitation.email, email));
      const crashing = await crashAt(point);
      expect(
        await crashing.post('/office/invitations', body, { token: TEST_SECRETS.officeApiKey }),
      ).toBeNull();
      await crashing.killed();
      expect(await invitations()).toHaveLength(count);
      expect(await countArriving(email)).toBe(count);
      expect((await send()).statusCode).toBe(201);
      expect(await invitations()).toHaveLength(1);
    },
  );
});

testThatAllWereReached();
