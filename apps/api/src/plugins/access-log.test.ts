import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { beforeEach, describe, expect, test } from 'vitest';
import { call } from '../../test/build-test-app.ts';
import { useEmulator } from '../../test/emulator.ts';
import { makeInvoice } from '../../test/factories/invoices.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../test/factories/payments/payments.ts';
import { linkLocation, makeUser, signInUser, TEST_PASSWORD } from '../../test/factories/users.ts';
import { keepLog } from '../../test/kept-log.ts';
import { callOffice, importRows, officeRow } from '../../test/office/office.ts';

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
      const body = method === 'POST' ? { ...p, franchiseId, workOrderNumber } : undefined;
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
