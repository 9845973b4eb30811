import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type TestApp, testEnv, useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { linkLocation, makeUser, signInUser, TEST_PASSWORD } from '../../../../test/factories/users.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { makeStaff } from '../../../../test/office/office-people.ts';
import { buildApp } from '../../../app.ts';
import { openDeps } from '../../../open-deps.ts';
import { listAccounts } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { openKeys } from '../../merchant-accounts/sealed-keys.ts';
import { isOwnersAddress } from '../passwords/known-address.ts';

const OLD = {
  TOKEN_SECRET: 'the token secret that was used until today',
  DATA_KEY: 'the data key that was used until today',
  OFFICE_API_KEY: 'the office key that was used until today',
};
const NEW = {
  TOKEN_SECRET: 'the token secret that is used from today on',
  DATA_KEY: 'the data key that is used from today on',
  OFFICE_API_KEY: 'the office key that is used from today on',
};
const BOTH = {
  TOKEN_SECRET: `${NEW.TOKEN_SECRET},${OLD.TOKEN_SECRET}`,
  DATA_KEY: `${NEW.DATA_KEY},${OLD.DATA_KEY}`,
  OFFICE_API_KEY: `${NEW.OFFICE_API_KEY},${OLD.OFFICE_API_KEY}`,
};

/** One database before the rotation, while both secrets are valid, and after it. */
const before = useTestApp(OLD);
let during: TestApp;
let after: TestApp;

async function start(settings: Record<string, string>): Promise<TestApp> {
  const { DATABASE_URL } = before.deps.env;
  const deps = await openDeps(testEnv({ DATABASE_URL, ...settings }), { clock: () => before.now });
  return { deps, app: await buildApp(deps), now: before.now };
}

beforeAll(async () => {
  during = await start(BOTH);
  after = await start(NEW);
});
afterAll(async () => {
  for (const { app, deps } of [during, after]) {
    await app.close();
    await deps.db.close();
  }
});

const me = async (portal: TestApp, token: string) =>
  (await call(portal, 'GET', '/user', { token })).statusCode;
const refresh = (portal: TestApp, refreshToken: string) =>
  call(portal, 'POST', '/authentication/refresh', { body: { refreshToken } });

describe('while the new token secret precedes the old one', () => {
  test('nobody is signed out, and who was refreshed meanwhile is not afterwards', async () => {
    const user = await signInUser(before);
    expect([await me(before, user.token), await me(during, user.token), await me(after, user.token)]).toEqual(
      [200, 200, 401],
    );
    expect((await refresh(after, user.refreshToken)).statusCode).toBe(401);
    const refreshed = (await refresh(during, user.refreshToken)).json<{
      accessToken: string;
      refreshToken: string;
    }>();
    expect(await me(after, refreshed.accessToken)).toBe(200);
    expect((await refresh(after, refreshed.refreshToken)).statusCode).toBe(200);
  });

  test('links to documents stay valid', async () => {
    const user = await signInUser(before);
    const made = await makeInvoice(before.deps.db.query);
    await linkLocation(before, { ...user, ...made });
    const [invoice] = (await call(before, 'GET', '/user/invoice', { token: user.token })).json<
      { pdfLink: string }[]
    >();
    const { pathname, search } = new URL(invoice?.pdfLink ?? '');
    const statusOf = async ({ app }: TestApp) => (await app.inject(pathname + search)).statusCode;
    expect([await statusOf(during), await statusOf(after)]).toEqual([200, 403]);
  });

  test('an owner is still known at the address of an earlier sign-in', async () => {
    const { email } = await makeUser(before);
    await call(before, 'POST', '/authentication/login', { body: { email, password: TEST_PASSWORD } });
    const who = { email, ip: '127.0.0.1' };
    expect(await isOwnersAddress(during.deps, during.deps.db.query, who)).toBe(true);
    expect(await isOwnersAddress(after.deps, after.deps.db.query, who)).toBe(false);
  });
});

test('an office may use either of two keys, and no other', async () => {
  const statusFor = async ({ app }: TestApp, key: string) =>
    (await app.inject({ url: '/api/office/status', headers: { authorization: `Bearer ${key}` } })).statusCode;
  expect(await statusFor(during, OLD.OFFICE_API_KEY)).toBe(200);
  expect(await statusFor(during, NEW.OFFICE_API_KEY)).toBe(200);
  expect(await statusFor(during, BOTH.OFFICE_API_KEY)).toBe(401);
  expect(await statusFor(after, OLD.OFFICE_API_KEY)).toBe(401);
});

test('status counts what an instance seals under the old data key, until a start reseals it', async () => {
  const { franchiseId } = await makeInvoice(before.deps.db.query);
  const underOld = async () =>
    (await callOffice(during, 'GET', '/status', { key: NEW.OFFICE_API_KEY })).json().secretsUnderEarlierKey;
  expect(await underOld()).toBe(0);
  await callOffice(before, 'PUT', `/franchises/${franchiseId}`, {
    key: OLD.OFFICE_API_KEY,
    body: { gateway: { apiKey: 'unused', pin: 'unused', publicKey: '_public' } },
  });
  await makeStaff(before);
  expect(await underOld()).toBe(2);
  const again = await start(BOTH);
  await again.app.close();
  await again.deps.db.close();
  expect(await underOld()).toBe(0);
});

test('a start with both data keys reseals everything under the new one', async () => {
  for (const account of await listAccounts(after.deps.db.query)) {
    expect(openKeys(after.deps.secretBox, account)).toEqual({ apiKey: 'unused', pin: 'unused' });
  }
});
