import { beforeEach, describe, expect, test } from 'vitest';
import { refreshToken } from '../src/modules/auth/sessions/refresh-tokens.ts';
import { noteMiss } from '../src/modules/invoices/look-up-limits.ts';
import { chargesOf } from './books/compare-ledgers.ts';
import { sweep, sweepUntilDone } from './books/sweep.ts';
import { call } from './build-test-app.ts';
import { useEmulator } from './emulator.ts';
import { askEmailChange, confirmNewEmail, linkIn } from './factories/email-changes.ts';
import { makeInvoice } from './factories/invoices.ts';
import { makeOffer, useOfferOf } from './factories/offers.ts';
import { guestSale, payAsGuest, usePaymentsApp } from './factories/payments/payments.ts';
import { makeUser, signInUser, startSessionOf, TEST_PASSWORD } from './factories/users.ts';
import { keepLog } from './kept-log.ts';
import { forgetMails, useUpEmailChanges, useUpMails, useUpRegistrations } from './limits/crowded-address.ts';
import { callOffice } from './office/office.ts';

const kept = keepLog();
const emulator = useEmulator();
const portal = usePaymentsApp(emulator, () => ({ TRUST_PROXY: '1' }), { log: kept.log });

beforeEach(async () => {
  kept.clear();
  await emulator.clearFaults();
});

let address = 0;
/** Each from a new address, so that tests don't share limits. */
const signIn = (email: string, password: string, from = `198.51.100.${++address}`) =>
  call(portal, 'POST', '/authentication/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': from },
  });

/** The lines logged for one call, found by its request's id. */
async function logged(work: () => Promise<{ headers: Record<string, unknown> }>) {
  kept.clear();
  const { headers } = await work();
  return kept.events().filter((line) => line.requestId === headers['x-request-id']);
}

describe('what touches security is logged', () => {
  test('signing in, and failing at it', async () => {
    const { email, userId } = await makeUser(portal);
    expect(await logged(() => signIn(email, TEST_PASSWORD))).toMatchObject([
      { msg: 'signed in', userId },
      { msg: 'request', status: 200, from: expect.any(String) },
    ]);
    for (const who of [email, 'nobody@example.com']) {
      expect(await logged(() => signIn(who, 'wrong'))).toMatchObject([
        { msg: 'sign-in failed' },
        { msg: 'request', status: 401, from: expect.any(String) },
      ]);
    }
  });

  test('an account that may not sign in', async () => {
    const off = await makeUser(portal, { active: false });
    expect(await logged(() => signIn(off.email, TEST_PASSWORD))).toMatchObject([
      { msg: 'sign-in refused', userId: off.userId, code: 'locked-out' },
      { status: 401 },
    ]);
    const unconfirmed = await makeUser(portal, { emailConfirmedAt: null });
    expect(await logged(() => signIn(unconfirmed.email, TEST_PASSWORD))).toMatchObject([
      { msg: 'sign-in refused', userId: unconfirmed.userId, code: 'not-confirmed' },
      { status: 401 },
    ]);
  });

  test('a limit that was reached, by its name', async () => {
    const { email } = await makeUser(portal);
    for (let guess = 0; guess < 5; guess++) await signIn(email, 'wrong', '203.0.113.1');
    expect(await logged(() => signIn(email, 'wrong', '203.0.113.1'))).toMatchObject([
      { level: 'warn', msg: 'too many attempts', limit: 'sign-in of one account from one address' },
      { status: 429 },
    ]);
  });

  test('many mails asked for past the limit of an address, once', async () => {
    const from = '203.0.113.2';
    await useUpMails(portal, from);
    await useUpRegistrations(portal, 999);
    const register = (email: string) =>
      logged(() =>
        call(portal, 'POST', '/user/register', {
          body: { email, firstName: 'A', lastName: 'B', password: TEST_PASSWORD, userType: 2 },
          headers: { 'x-forwarded-for': from },
        }),
      );
    const { email } = await makeUser(portal);
    expect(await register(email)).toMatchObject([{ status: 400 }]);
    expect(await register('thousandth@example.com')).toMatchObject([
      { msg: 'registered' },
      {
        level: 'error',
        alert: 'many mails',
        limit: 'registrations past the limits of addresses',
        count: 1000,
      },
      { status: 204 },
    ]);
    expect(await register('next@example.com')).toMatchObject([
      { level: 'warn', msg: 'too many attempts', limit: 'registrations past the limits of addresses' },
      { status: 429 },
    ]);
  });

  test('many changes of address asked for past the limit of a network address, once', async () => {
    await useUpMails(portal);
    await useUpEmailChanges(portal, 999);
    const user = await signInUser(portal);
    const limit = 'changes of address past the limits of network addresses';
    expect(await logged(() => askEmailChange(portal, user, 'thousandth@example.org'))).toMatchObject([
      { msg: 'password asked again' },
      { msg: 'email change asked' },
      { level: 'error', alert: 'many mails', limit, count: 1000 },
      { status: 204 },
    ]);
    expect(await logged(() => askEmailChange(portal, user, 'next@example.org'))).toMatchObject([
      { msg: 'password asked again' },
      { level: 'warn', msg: 'too many attempts', limit },
      { status: 429 },
    ]);
    await forgetMails(portal);
  });

  test('many look-ups that miss at one franchise, whoever guesses', async () => {
    const franchiseId = 424_242;
    for (let misses = 1; misses < 49; misses += 1) await noteMiss(portal.deps, { franchiseId });
    const numbers = { franchiseId, workOrderNumber: 1, zipCode: '62704' };
    const headers = { 'x-forwarded-for': '198.51.100.250' };
    const look = () => call(portal, 'POST', '/user/invoice/search', { body: numbers, headers });
    const { token } = await signInUser(portal);
    const add = () => call(portal, 'POST', '/user/location', { token, body: numbers, headers });
    expect(await logged(look)).toMatchObject([{ status: 404 }]);
    kept.clear();
    expect((await add()).statusCode).toBe(404);
    expect(kept.events()).toContainEqual(
      expect.objectContaining({ msg: 'many look-ups miss at one franchise', franchiseId, misses: 50 }),
    );
  });

  test('a refresh token that was used before, with its session', async () => {
    const user = await signInUser(portal);
    const refresh = (token: string) =>
      call(portal, 'POST', '/authentication/refresh', { body: { refreshToken: token } });
    const second = (await refresh(user.refreshToken)).json<{ refreshToken: string }>().refreshToken;
    await refresh(second);
    expect(await logged(() => refresh(user.refreshToken))).toMatchObject([
      {
        level: 'warn',
        msg: expect.stringContaining('old refresh token'),
        userId: user.userId,
        sessionId: expect.any(String),
      },
      { status: 401 },
    ]);
    // A session that we never issued identifies nobody.
    const forged = refreshToken(portal.deps, {
      sessionId: '00000000-0000-4000-8000-000000000000',
      generation: 1,
    });
    expect(await logged(() => refresh(`${forged.slice(0, -4)}AAAA`))).toMatchObject([{ status: 401 }]);
  });

  test.each([
    ['without a token', () => call(portal, 'GET', '/user')],
    ['with a forged token', () => call(portal, 'GET', '/user', { token: 'a.b.c' })],
    [
      'of another application',
      () => portal.app.inject({ url: '/api/user', headers: { 'x-apisecret': 'other' } }),
    ],
    [
      'of no office',
      () => portal.app.inject({ url: '/api/office/status', headers: { authorization: 'Bearer no' } }),
    ],
  ])('a call %s that is denied, by its route and where it came from', async (_what, send) => {
    expect(await logged(send)).toMatchObject([
      { msg: 'request', status: 401, route: expect.stringMatching(/^\/api\//), from: expect.any(String) },
    ]);
  });

  test('somebody else’s thing, and what could not be read', async () => {
    const { token, userId } = await signInUser(portal);
    const foreign = () => call(portal, 'DELETE', '/user/location/99', { token });
    expect(await logged(foreign)).toMatchObject([
      { status: 404, userId, route: '/api/user/location/:locationId' },
    ]);
    const unreadable = () => call(portal, 'POST', '/user/location', { token, body: { franchiseId: 'x' } });
    expect(await logged(unreadable)).toMatchObject([{ status: 400, userId }]);
  });

  test('a download of the own data, and the password that it asks for', async () => {
    const { token, userId } = await signInUser(portal);
    const download = (password: string) =>
      call(portal, 'POST', '/user/export', { token, body: { password } });
    expect(await logged(() => download(TEST_PASSWORD))).toMatchObject([
      { msg: 'password asked again', userId },
      { msg: 'data downloaded', userId },
      { status: 200 },
    ]);
    expect(await logged(() => download('wrong'))).toMatchObject([
      { level: 'warn', msg: 'password asked again, and wrong', userId, wrong: 1 },
      { status: 400 },
    ]);
  });

  test('a change of address: asked for, confirmed and undone', async () => {
    const user = await signInUser(portal);
    const { userId } = user;
    const email = `moved-${user.email}`;
    expect(await logged(() => askEmailChange(portal, user, email))).toMatchObject([
      { msg: 'password asked again', userId },
      { msg: 'email change asked', userId },
      { status: 204 },
    ]);
    expect(await logged(() => confirmNewEmail(portal, email))).toMatchObject([
      { msg: 'email change confirmed', userId },
      { status: 204 },
    ]);
    const link = await linkIn(portal, { kind: 'email-changed', to: user.email });
    const body = { ...link, password: 'yet another long sentence' };
    expect(await logged(() => call(portal, 'POST', '/authentication/email/undo', { body }))).toMatchObject([
      { msg: 'email change undone', userId },
      { status: 204 },
    ]);
  });

  test('sessions that are ended, another password and a closed account', async () => {
    const user = await signInUser(portal);
    const { userId, token } = user;
    const send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
      call(portal, method, path, { token, ...(body && { body }) });
    await startSessionOf(portal.deps, user);
    const [session] = (await send('GET', '/user/sessions'))
      .json<{ sessionId: string; current: boolean }[]>()
      .filter(({ current }) => !current);
    expect(await logged(() => send('DELETE', `/user/sessions/${session?.sessionId}`))).toMatchObject([
      { msg: 'session ended', userId, sessionId: session?.sessionId },
      { status: 204 },
    ]);
    expect(await logged(() => send('DELETE', '/user/sessions'))).toMatchObject([
      { msg: 'other sessions ended', userId, ended: 0 },
      { status: 200 },
    ]);
    const newPassword = 'yet another long sentence';
    expect(
      await logged(() => send('POST', '/user/password', { password: TEST_PASSWORD, newPassword })),
    ).toMatchObject([
      { msg: 'password asked again', userId },
      { msg: 'password changed', userId },
      { status: 204 },
    ]);
    expect(await logged(() => send('POST', '/user/close', { password: newPassword }))).toMatchObject([
      { msg: 'password asked again', userId },
      { msg: 'account closed', userId },
      { status: 204 },
    ]);
  });

  test('an offer that is used', async () => {
    const { token, userId } = await signInUser(portal);
    const { offer, intentId } = await makeOffer(portal.deps);
    expect(await logged(() => useOfferOf(portal, offer, { token }))).toMatchObject([
      { msg: 'offer used', userId, intentId },
      { status: 204, userId },
    ]);
  });

  test('what an office does to an account', async () => {
    const { email, userId } = await makeUser(portal);
    const off = () => callOffice(portal, 'PUT', `/users/${email}`, { body: { active: false } });
    expect(await logged(off)).toMatchObject([
      { msg: 'account switched', userId, active: false },
      { status: 200 },
    ]);
  });
});

describe('every step of a payment is logged with its ids', () => {
  const pay = async (given: Parameters<typeof guestSale>[2] = {}) => {
    kept.clear();
    const sale = await guestSale(emulator, await makeInvoice(portal.deps.db.query), given);
    await payAsGuest(portal, sale);
    const charge = (await chargesOf(portal.deps)).at(-1);
    if (!charge) throw new Error('no charge');
    return charge;
  };
  /** A payment's events, in order. */
  const steps = ({ id, intentId }: { id: string; intentId: string }) =>
    kept
      .events()
      .filter((line) => line.intentId === intentId || line.chargeId === id)
      .filter(({ msg }) => msg !== 'swept a charge')
      .map(({ msg, event, outcome, result }) => [msg, event ?? outcome, result].filter(Boolean).join(' '));

  test('paid and captured', async () => {
    const charge = await pay();
    await sweep(portal.deps);
    expect(steps(charge)).toEqual([
      'payment begun',
      'authorised approved',
      'payment accept applied',
      'payment confirm-capture applied',
    ]);
  });

  test('declined', async () => {
    const charge = await pay({ card: '4000300611112224' });
    expect(steps(charge)).toEqual(['payment begun', 'authorised declined', 'payment abandon applied']);
  });

  test('lost, found and released', async () => {
    await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
    const charge = await pay();
    await sweepUntilDone(portal.deps);
    const seen = steps(charge);
    expect(seen.slice(0, 3)).toEqual(['payment begun', 'authorised unknown', 'payment abandon applied']);
    expect(seen).toContain('payment find-hold applied');
    expect(seen).toContain('payment confirm-release applied');
  });
});
