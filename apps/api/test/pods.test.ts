import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { cardPlace } from '../src/modules/payment-methods/card-place.ts';
import { compareBooks } from '../src/modules/payments/books/compare-books.ts';
import { chargesOf } from './books/compare-ledgers.ts';
import { sweep } from './books/sweep.ts';
import { call, type TestApp, useTestApp } from './build-test-app.ts';
import { useEmulator } from './emulator.ts';
import { makeInvoice } from './factories/invoices.ts';
import { gatewaySettings, guestSale, payAsGuest } from './factories/payments/payments.ts';
import { makeUser, signInUser, TEST_PASSWORD } from './factories/users.ts';
import { newestLink } from './mail/mailbox.ts';
import { callConsole, makeStaff, OFFICE_SETTINGS, signInStaff } from './office/office-people.ts';

// Two franchise systems side by side: portals of one build, each with its own database and merchant account.

const emulator = useEmulator();

const usePod = (name: string): TestApp =>
  useTestApp(async () => ({
    ...gatewaySettings(emulator, await emulator.merchant(name)),
    ...OFFICE_SETTINGS,
    PUBLIC_URL: `https://${name}.example.com`,
    API_SECRET: secretOf(name),
    OFFICE_API_KEY: `an office key that only ${name} has`,
    TOKEN_SECRET: `a token secret that only ${name} has`,
    DATA_KEY: `a data key that only ${name} has at all`,
  }));

const secretOf = (name: string) => `what the pages of ${name} know`;
const from = (name: string) => ({ 'x-apisecret': secretOf(name) });

const north = usePod('north');
const south = usePod('south');

const prefixesOf = async ({ deps }: TestApp) => {
  const { rows } = await deps.db.query.execute<{ prefix: string }>(sql`
    SELECT order_prefix AS prefix FROM deployment WHERE public_url = ${deps.env.PUBLIC_URL}`);
  return rows.map(({ prefix }) => prefix);
};

beforeAll(async () => {
  for (const [name, pod] of [
    ['north', north],
    ['south', south],
  ] as const) {
    const made = await makeInvoice(pod.deps.db.query);
    const paid = await payAsGuest(pod, await guestSale(emulator, made, { merchant: name }), from(name));
    expect(paid.statusCode).toBe(200);
    await sweep(pod.deps);
  }
});

test('orders of two pods begin differently, and neither takes the other’s for its own', async () => {
  const [[one], [other]] = [await prefixesOf(north), await prefixesOf(south)];
  expect(one).not.toBe(other);
  const orders = (await emulator.ledger()).map(({ orderid }) => orderid.split('-')[0]);
  expect(orders.sort()).toEqual([one, other].sort());
  for (const pod of [north, south]) {
    expect((await chargesOf(pod.deps)).map(({ state }) => state)).toEqual(['captured']);
    expect(await compareBooks(pod.deps)).toMatchObject({ isComplete: true, differences: [] });
    const { rows } = await pod.deps.db.query.execute(sql`
      SELECT FROM deployment WHERE restore_noticed_at IS NOT NULL`);
    expect(rows).toEqual([]);
  }
});

test('a session, the secret of the pages and an office’s key open their own pod alone', async () => {
  const { token } = await signInUser(north);
  const list = (pod: TestApp, headers: Record<string, string>) =>
    call(pod, 'GET', '/user/invoice', { token, headers }).then(({ statusCode }) => statusCode);
  expect(await list(north, from('north'))).toBe(200);
  expect(await list(south, from('south'))).toBe(401);
  expect(await list(north, from('south'))).not.toBe(200);
  const status = (pod: TestApp) =>
    pod.app.inject({
      url: '/api/office/status',
      headers: { authorization: 'Bearer an office key that only north has' },
    });
  expect([(await status(north)).statusCode, (await status(south)).statusCode]).toEqual([200, 401]);
});

test('the cookie of somebody of the staff opens their own pod alone', async () => {
  const cookie = await signInStaff(north, await makeStaff(north));
  const me = (pod: TestApp) => callConsole(pod, 'GET', '/me', { cookie });
  expect([(await me(north)).statusCode, (await me(south)).statusCode]).toEqual([200, 401]);
});

test('what one pod has sealed, another cannot read', () => {
  const place = cardPlace('0b9e5c0e-5c0e-4c0e-8c0e-0b9e5c0e5c0e');
  const sealed = north.deps.secretBox.seal('a card', place);
  expect(north.deps.secretBox.open(sealed, place)).toBe('a card');
  expect(() => south.deps.secretBox.open(sealed, place)).toThrow();
});

test('guessing too often at one pod limits nobody at the other', async () => {
  const made = { north: await makeUser(north), south: await makeUser(south) };
  const signIn = (pod: TestApp, name: 'north' | 'south', password: string) =>
    call(pod, 'POST', '/authentication/login', {
      body: { email: made[name].email, password },
      headers: from(name),
    }).then(({ statusCode }) => statusCode);
  for (let guess = 0; guess < 5; guess++) expect(await signIn(north, 'north', 'wrong')).toBe(401);
  expect(await signIn(north, 'north', TEST_PASSWORD)).toBe(429);
  expect(await signIn(south, 'south', TEST_PASSWORD)).toBe(200);
});

test('a mail waits in its own pod, and its link leads there', async () => {
  const { email } = await makeUser(north);
  await makeUser(south, { email });
  const path = `/user/resetpassword?email=${encodeURIComponent(email)}`;
  const asked = await call(north, 'POST', path, { headers: from('north') });
  expect(asked.statusCode).toBe(204);
  expect((await newestLink(north, email)).url.host).toBe('north.example.com');
  await expect(newestLink(south, email)).rejects.toThrow('no mail');
});
