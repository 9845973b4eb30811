import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { SessionShown } from '@brightpane/contract/customers/account';
import type { Tokens } from '@brightpane/contract/customers/authentication';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import type { GuestSaleAnswer, PortalSaleAnswer } from '@brightpane/contract/invoices/payments';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '../../test/books/sweep.ts';
import { call } from '../../test/build-test-app.ts';
import { useEmulator } from '../../test/emulator.ts';
import { linkIn } from '../../test/factories/email-changes.ts';
import { makeInvoice } from '../../test/factories/invoices.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../test/factories/payments/payments.ts';
import { portalSale } from '../../test/factories/unpaid-invoices.ts';
import { linkLocation, makeUser, signInUser, TEST_PASSWORD } from '../../test/factories/users.ts';
import { keepLog } from '../../test/kept-log.ts';
import { newestLink } from '../../test/mail/mailbox.ts';
import { callOffice, importRows, officeRow } from '../../test/office/office.ts';
import { customer } from '../db/schema/franchises.ts';
import { deliverMail } from '../mail/deliver-mail.ts';

const kept = keepLog();
const emulator = useEmulator();
const portal = usePaymentsApp(emulator, () => ({ TRUST_PROXY: '1' }), { log: kept.log });

beforeEach(kept.clear);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('a line for each request', () => {
  test('has the route’s pattern and who is signed in, and not the address that was asked for', async () => {
    const { token, userId } = await signInUser(portal);
    const answer = await call(portal, 'GET', '/user/location/4711/history?email=ana@example.com', { token });
    expect(kept.events()).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        requestId: answer.headers['x-request-id'],
        method: 'GET',
        route: '/api/user/location/:locationId/history',
        status: 404,
        ms: expect.any(Number),
        from: expect.stringMatching(/^[\w-]{12}$/),
        userId,
        msg: 'request',
      },
    ]);
  });

  test('is written for an unknown address too, without the address', async () => {
    await portal.app.inject('/wp-admin/zoe@example.com?t=4000100011112224');
    expect(kept.events()).toMatchObject([{ route: 'none', status: 404 }]);
    expect(kept.lines.join()).not.toMatch(/zoe@|400010001111/);
  });

  test('is written for a client that left before the answer', async () => {
    await portal.app.listen({ port: 0, host: '127.0.0.1' });
    kept.clear();
    const socket = connect((portal.app.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /api/authentication/login HTTP/1.1\r\nHost: x\r\nX-APISecret: test-api-secret\r\n');
    socket.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
    await once(portal.app.server, 'request');
    socket.destroy();
    await expect
      .poll(() => kept.events())
      .toMatchObject([{ status: 499, route: '/api/authentication/login' }]);
  });

  test('tells addresses apart without naming them', async () => {
    const from = async (address: string) => {
      await portal.app.inject({ url: '/api/health/live', headers: { 'x-forwarded-for': address } });
      return kept.events().at(-1)?.from;
    };
    expect(await from('198.51.100.7')).toBe(await from('198.51.100.7'));
    expect(await from('198.51.100.7')).not.toBe(await from('198.51.100.8'));
    expect(kept.lines.join()).not.toContain('198.51');
  });
});

describe('the id of a request', () => {
  test('stands in the answer, in a bare 500, and in every line that is written for it', async () => {
    await portal.deps.db.pool.query('ALTER TABLE app_user RENAME TO app_user_away');
    const answer = await call(portal, 'POST', '/authentication/login', {
      body: { email: 'zoe@example.com', password: 'whatever it was' },
    }).finally(() => portal.deps.db.pool.query('ALTER TABLE app_user_away RENAME TO app_user'));
    const id = answer.headers['x-request-id'];
    expect(id).toMatch(UUID);
    expect(answer.json()).toEqual({
      title: 'Internal Server Error',
      status: 500,
      detail: 'Internal server error',
      errors: [],
      requestId: id,
    });
    expect(kept.events().map((line) => [line.msg, line.requestId])).toEqual([
      ['unexpected error', id],
      ['request', id],
    ]);
    expect(kept.lines.join()).not.toMatch(/zoe@|whatever/);
  });

  test('is the proxy’s, if that is trusted and the id is valid', async () => {
    const idFor = async (given: string, remoteAddress = '127.0.0.1') => {
      const headers = { 'x-request-id': given };
      return (await portal.app.inject({ url: '/api/health/live', headers, remoteAddress })).headers[
        'x-request-id'
      ];
    };
    expect(await idFor('3f2a-proxy.7')).toBe('3f2a-proxy.7');
    for (const forged of ['short', 'a'.repeat(65), 'zoe@example.com', '{"level":"error"}', 'two words 12']) {
      expect(await idFor(forged)).toMatch(UUID);
    }
  });
});

/** Personal or secret values, by the field in which they are sent. */
const PRIVATE = {
  firstName: 'Zoëpriv',
  lastName: 'O’Privsson',
  email: 'zoe.priv@example.com',
  password: 'priv correct horse staple',
  newPassword: 'priv battery horse correct',
  address: 'Privet Lane 4711',
  address2: 'Privflat 9b',
  city: 'Privingham',
  state: 'Privstate',
  postalCode: 'PR1 V99',
  zipCode: 'PR1 V88',
  phone: '+1 555 0199 4711',
  street: 'Privroad 12',
  street2: 'Privdoor 7',
  maskedCard: 'xxxx9424',
  cardType: 'Privcard',
  token: 'priv-token-4f1c9d',
  t: 'priv-link-token-77aa',
  e: 'e.priv@example.com',
  refreshToken: 'priv-refresh-3b9e',
  additionalServicesNote: 'Privnote for the dog',
  customerName: 'Privholder GmbH',
  customerEmail: 'holder.priv@example.com',
  description: 'Privhome',
  zip: 'PR1 V77',
  addressLine1: 'Privallee 3',
  name: 'Privname',
  cardholder: 'P R Iv',
  apiKey: 'priv-api-key-1',
  pin: 'priv-pin-22',
  publicKey: 'priv-public-key-3',
  paymentKey: 'priv-payment-key-4',
  idempotencyKey: 'priv-idem-key-5',
  forwarded: '203.0.113.77',
  agent: 'Privbrowser/1.0',
  referer: 'https://priv.example.com/',
  query: 'privquery',
  unknown: 'privunknownfield',
  path: 'privpath',
  bearer: 'priv.bearer.token',
} as const;

test(`none of ${Object.keys(PRIVATE).length} personal values and secrets, sent in every call and in every way, is logged`, async () => {
  expect(Object.keys(PRIVATE).length).toBeGreaterThanOrEqual(40);
  const p = PRIVATE;
  const signedIn = await signInUser(portal, { firstName: p.firstName, lastName: p.lastName });
  const made = await makeInvoice(portal.deps.db.query, { zipCode: p.zipCode });
  await linkLocation(portal, { ...signedIn, ...made });
  const { franchiseId, workOrderNumber } = made;
  const headers = {
    'user-agent': p.agent,
    referer: p.referer,
    'x-forwarded-for': p.forwarded,
    'idempotency-key': p.idempotencyKey,
  };
  const query = `?e=${encodeURIComponent(p.e)}&t=${p.t}&q=${p.query}`;
  for (const { method, path } of Object.values(ENDPOINTS)) {
    for (const token of [signedIn.token, p.bearer]) {
      const url = `${path.replace(/:\w+/, p.path)}${query}`;
      const takesBody = method === 'POST' || method === 'PUT';
      const body = takesBody ? { ...p, franchiseId, workOrderNumber } : undefined;
      await call(portal, method, url, { token, headers, ...(body && { body }) });
    }
  }
  // Calls that succeed are checked too.
  await makeUser(portal, { email: p.email });
  const send = (path: string, body: object) => call(portal, 'POST', path, { body, headers });
  for (const password of [p.password, TEST_PASSWORD]) {
    await send('/authentication/login', { email: p.email, password });
  }
  await send('/user/register', { ...named('firstName', 'lastName', 'password'), email: p.e });
  await send(`/user/resetpassword?email=${encodeURIComponent(p.email)}`, {});
  await send('/user/invoice/search', { franchiseId, workOrderNumber, zipCode: p.zipCode });
  const details = named(
    'firstName',
    'lastName',
    'address',
    'address2',
    'city',
    'state',
    'postalCode',
    'email',
  );
  const sale = { ...details, additionalServiceAmount: 5, additionalServicesNote: p.additionalServicesNote };
  for (const card of ['4000300611112224', '4000100011112224']) {
    await payAsGuest(portal, await guestSale(emulator, made, { ...sale, card }), headers);
  }
  await importRows(portal, [
    officeRow({
      ...named('customerName', 'customerEmail', 'description', 'addressLine1', 'city', 'state', 'zipCode'),
    }),
  ]);
  await importRows(portal, [officeRow({ amount: p.unknown, customerName: p.customerName })]);
  await callOffice(portal, 'PUT', `/users/${p.email}`, { body: { active: false } });
  await callOffice(portal, 'PUT', `/franchises/${franchiseId}`, {
    body: { ...named('name', 'email'), gateway: named('apiKey', 'pin', 'publicKey') },
  });

  const log = kept.lines.join('');
  expect(kept.lines.length).toBeGreaterThan(60);
  expect(kept.events().filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
  for (const [name, value] of Object.entries(PRIVATE)) expect(log, name).not.toContain(value);
  expect(log).not.toContain(signedIn.token);
  expect(log).not.toContain('4000100011112224');
});

/** Makes a customer's calls, each of which succeeds, and keeps every text that they send or are told in secret. */
function callsThatSucceed() {
  const made = new Set<string>();
  const texts = new Set<string>();
  const keep = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) keep(each);
  };
  async function send(name: keyof typeof ENDPOINTS, { body, token, query = '', id = '' }: Sent = {}) {
    const { method, path } = ENDPOINTS[name];
    const headers = { ...CLIENT, 'idempotency-key': randomUUID() };
    const url = `${path.replace(/:\w+/, id)}${query}`;
    const answer = await call(portal, method, url, {
      headers,
      ...(token !== undefined && { token }),
      ...(body !== undefined && { body }),
    });
    expect([200, 204], `${name}: ${answer.body}`).toContain(answer.statusCode);
    made.add(name);
    keep([body, token, headers]);
    return answer;
  }
  async function signIn(email: string, password: string): Promise<Tokens> {
    const tokens = (await send('login', { body: { email, password } })).json<Tokens>();
    keep([tokens.accessToken, tokens.refreshToken]);
    return tokens;
  }
  return { send, signIn, made, texts };
}

type Sent = { body?: object; token?: string; query?: string; id?: string };

const CLIENT = {
  'user-agent': PRIVATE.agent,
  referer: PRIVATE.referer,
  'x-forwarded-for': PRIVATE.forwarded,
};

test('nothing that customers type, choose or are mailed is logged where their calls succeed', async () => {
  const p = PRIVATE;
  const { send, signIn, made, texts } = callsThatSucceed();
  const db = portal.deps.db.query;
  const names = named('firstName', 'lastName');
  const [email, moved, guest, invited] = ['me', 'moved', 'guest', 'invited'].map(
    (who) => `${who}.priv@example.com`,
  ) as [string, string, string, string];
  const invoice = () => makeInvoice(db, { zipCode: p.zipCode });

  await send('register', { body: { ...names, email, password: p.password } });
  await send('resendEmailConfirmation', { body: { email } });
  const { token: confirmation } = await newestLink(portal, email);
  await send('confirm', { body: { email, token: confirmation } });
  const { refreshToken } = await signIn(email, p.password);
  const { accessToken: token } = (await send('refresh', { body: { refreshToken } })).json<Tokens>();
  for (const name of ['user', 'account', 'locations', 'invoices'] as const) await send(name, { token });
  await send('updateAccount', { token, body: names });

  const { franchiseId, workOrderNumber, zipCode, locationId, customerId } = await invoice();
  const invite = async (to: string) => {
    const [row] = await db.select().from(customer).where(eq(customer.id, customerId));
    const body = { franchiseId, customerNumber: row?.number, email: to };
    expect((await callOffice(portal, 'POST', '/invitations', { body })).statusCode).toBe(201);
  };
  await invite(email);
  await send('invitations', { token });
  await send('acceptInvitations', { token });
  await invite(invited);
  const { token: passwordToken } = await newestLink(portal, invited);
  await send('acceptInvite', { body: { ...names, email: invited, password: p.password, passwordToken } });

  const numbers = { franchiseId, workOrderNumber, zipCode };
  await send('searchInvoice', { body: numbers });
  await send('addLocation', { token, body: numbers });
  await send('locationHistory', { token, id: String(locationId) });
  const paymentKey = await emulator.mintPaymentKey({});
  await send('addPaymentMethod', {
    token,
    body: { paymentKey, ...named('maskedCard', 'street', 'postalCode') },
  });
  const cards = (await send('paymentMethods', { token })).json<{ id: string }[]>();
  const paymentMethodId = cards[0]?.id ?? '';
  const extra = { additionalServiceAmount: 5, additionalServicesNote: p.additionalServicesNote };
  const sale = portalSale([{ franchiseId, workOrderNumber }], { paymentMethodId }, extra);
  const { paymentId } = (await send('portalSale', { token, body: sale })).json<PortalSaleAnswer>();
  await send('payment', { token, id: paymentId ?? '' });
  for (const name of ['payments', 'statements'] as const) await send(name, { token, query: '?year=2026' });

  const details = named('address', 'address2', 'city', 'state', 'postalCode', 'phone');
  const offered = async () => {
    const body = await guestSale(emulator, await invoice(), { ...names, ...details, ...extra, email: guest });
    const { offer = '' } = (await send('guestSale', { body })).json<GuestSaleAnswer>();
    await sweep(portal.deps);
    return offer;
  };
  const offer = await offered();
  await send('lookAtOffer', { body: { token: offer } });
  await send('useOffer', { token, body: { token: offer } });
  const register = { ...names, email: guest, password: p.password, token: await offered() };
  await send('registerWithOffer', { body: register });

  const change = { token, body: { email: moved, password: p.password } };
  await send('changeEmail', change);
  await send('cancelEmail', { token });
  await send('changeEmail', change);
  const toConfirm = await linkIn(portal, { kind: 'email-change', to: moved });
  await send('confirmEmailChange', { body: toConfirm });
  const toUndo = await linkIn(portal, { kind: 'email-changed', to: email });
  await send('undoEmailChange', { body: { ...toUndo, password: p.newPassword } });

  const again = await signIn(email, p.newPassword);
  const passwords = { password: p.newPassword, newPassword: p.password };
  await send('changePassword', { token: again.accessToken, body: passwords });
  await send('resetPassword', { query: `?email=${encodeURIComponent(email)}` });
  const { token: reset } = await newestLink(portal, email);
  await send('confirmResetPassword', { body: { email, passwordToken: reset, password: p.newPassword } });

  const left = await signIn(email, p.newPassword);
  await send('logout', { token: left.accessToken, body: { refreshToken: left.refreshToken } });
  await signIn(email, p.newPassword);
  await signIn(email, p.newPassword);
  const last = { token: (await signIn(email, p.newPassword)).accessToken };
  const sessions = (await send('sessions', last)).json<SessionShown[]>();
  await send('endSession', { ...last, id: sessions.find(({ current }) => !current)?.sessionId ?? '' });
  await send('endOtherSessions', last);
  await send('exportData', { ...last, body: { password: p.newPassword } });
  await send('removePaymentMethod', { ...last, id: paymentMethodId });
  await send('removeLocation', { ...last, id: String(locationId) });
  await send('closeAccount', { ...last, body: { password: p.newPassword } });
  await sweep(portal.deps);
  await deliverMail(portal.deps);

  expect([...made].toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted());
  const told = kept.events().map(({ msg }) => msg);
  expect(told).toEqual(
    expect.arrayContaining(['email change asked', 'data downloaded', 'mail not sent yet']),
  );
  const log = kept.lines.join('');
  for (const text of texts) expect(log).not.toContain(text);
});

function named<Name extends keyof typeof PRIVATE>(...names: Name[]): Record<Name, string> {
  const entries = names.map((name): [Name, string] => [name, PRIVATE[name]]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

test.each([
  ['a line of its own', 'x\n{"level":"fatal","msg":"forged"}'],
  ['a carriage return', 'x\rforged'],
  ['colors of a terminal', 'x\u001b[31mforged\u001b]0;title\u0007'],
  ['one-byte escapes', 'x\u009b31mforged\u0085'],
  ['the other direction', 'x\u202eforged\u2066\u200f'],
  ['line separators', 'x\u2028forged\u2029'],
  ['nothing at all', 'x\u0000forged\u200b\ufeff\u007f'],
  ['half a character', 'x\ud800forged'],
  ['a tag that no font shows', 'x\u{e0041}forged'],
])('writes %s in a text as one line of plain characters', (_what, text) => {
  kept.log.warn({ text }, text);
  const [line = ''] = kept.lines;
  expect(kept.lines).toHaveLength(1);
  expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(line)).toMatchObject({ level: 'warn', msg: expect.stringContaining('forged') });
});
