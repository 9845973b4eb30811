import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { call, TEST_SECRETS, useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { makeOfficeKey } from '../../../test/factories/office-keys.ts';
import { makeUser, signInUser, TEST_PASSWORD } from '../../../test/factories/users.ts';
import { callOffice } from '../../../test/office/office.ts';
import { openMerchantKeys } from '../merchant-accounts/open-merchant-keys.ts';

const portal = useTestApp();

describe('every office call', () => {
  const CALLS = [
    ['POST', '/import'],
    ['PUT', '/franchises/12'],
    ['PUT', '/users/zoe@example.com'],
    ['GET', '/status'],
  ] as const;

  test.each(
    CALLS.flatMap(([method, path]) =>
      (
        [
          ['no key', {}],
          ['another key', { authorization: 'Bearer another-office-key' }],
          ['an empty key', { authorization: 'Bearer ' }],
          ['the key without its scheme', { authorization: TEST_SECRETS.officeApiKey }],
          ['the secret of the web app', { authorization: `Bearer ${TEST_SECRETS.apiSecret}` }],
          ['the key in the wrong header', { 'x-apisecret': TEST_SECRETS.officeApiKey }],
        ] as const
      ).map(([what, headers]) => [method, path, what, headers] as const),
    ),
  )('%s %s with %s is refused before its body is read', async (method, path, _what, headers) => {
    const answer = await portal.app.inject({
      method,
      url: `/api/office${path}`,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method !== 'GET' && { payload: '{broken' }),
    });
    expect(answer.statusCode).toBe(401);
    const isKeyGiven = 'authorization' in headers;
    expect(answer.json()).toEqual({
      title: 'Unauthorized',
      status: 401,
      detail: isKeyGiven ? 'This key is not known.' : 'Please sign in.',
      errors: isKeyGiven ? [] : [{ code: 'SignedOut', description: 'Please sign in.' }],
    });
  });

  test('takes a key that we made where another program keeps sending a wrong one', async () => {
    const key = await makeOfficeKey(portal, {});
    const statusWith = async (given: string) => {
      const headers = { authorization: `Bearer ${given}` };
      return (await portal.app.inject({ url: '/api/office/status', headers, remoteAddress: '10.4.4.4' }))
        .statusCode;
    };
    const wrong = [];
    for (let count = 0; count < 31; count++)
      wrong.push(await statusWith(`${key.slice(0, -4)}x${String(count).padStart(3, '0')}`));
    expect(wrong.at(-1)).toBe(429);
    expect(await statusWith(key)).toBe(200);
    // A key from the settings is as long as somebody made it, so trying many of them stays limited.
    expect(await statusWith(TEST_SECRETS.officeApiKey)).toBe(429);
  });

  test('the key opens none of the calls of the web app', async () => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/user/invoice/search',
      headers: { authorization: `Bearer ${TEST_SECRETS.officeApiKey}` },
      payload: { franchiseId: 1, workOrderNumber: 1, zipCode: '1' },
    });
    expect(answer.statusCode).toBe(401);
  });
});

describe('PUT /api/office/franchises/{franchiseId}', () => {
  const KEYS = { apiKey: 'the-api-key', pin: 'the-pin', publicKey: '_the_public_key' };

  test('sets what is named, and keeps the rest', async () => {
    const { franchiseId } = await makeInvoice(portal.deps.db.query);
    const change = (body: object) => callOffice(portal, 'PUT', `/franchises/${franchiseId}`, { body });
    const all = {
      name: "O'Hara's Windows",
      phone: '+1 312 555 0100',
      email: 'office@example.com',
      address: '1 Main Street, Chicago',
      timeZone: 'America/Denver',
    };
    expect((await change(all)).json()).toEqual({
      franchiseId,
      ...all,
      maxCreditPercent: 25,
      refundLimit: 200,
      refundDayLimit: 1000,
      gateway: null,
    });
    expect((await change({ phone: '+1 312 555 0199' })).json()).toMatchObject({
      ...all,
      phone: '+1 312 555 0199',
    });
    expect((await change({ phone: '', email: null, address: null })).json()).toMatchObject({
      name: all.name,
      phone: null,
      email: null,
      address: null,
      maxCreditPercent: 25,
    });
    expect((await change({})).statusCode).toBe(200);
  });

  test('gives a franchise its own keys, which are stored sealed and never read back', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const change = (body: object) => callOffice(portal, 'PUT', `/franchises/${made.franchiseId}`, { body });
    const publicKeyOf = async () => {
      const { franchiseId, workOrderNumber, zipCode } = made;
      const answer = await call(portal, 'POST', '/user/invoice/search', {
        body: { franchiseId, workOrderNumber, zipCode },
      });
      return answer.json().publicKey;
    };
    const accounts = async () => {
      const { rows } = await portal.deps.db.query.execute<{
        id: number;
        api_key: string;
        replaced_at: string | null;
      }>(sql`SELECT * FROM merchant_account WHERE franchise_id = ${made.franchiseId} ORDER BY id`);
      return rows;
    };
    const portalsOwn = await publicKeyOf();

    const first = await change({ gateway: KEYS });
    expect(first.json().gateway).toEqual({ publicKey: KEYS.publicKey });
    expect(first.body).not.toMatch(/the-api-key|the-pin/);
    expect(await publicKeyOf()).toBe(KEYS.publicKey);
    const [account] = await accounts();
    expect(JSON.stringify(account)).not.toMatch(/the-api-key|the-pin/);
    const [opened] = await openMerchantKeys(portal.deps, { accountId: account?.id ?? 0 });
    expect(opened).toMatchObject({ apiKey: KEYS.apiKey, pin: KEYS.pin });

    await change({ gateway: KEYS });
    await change({ phone: '1' });
    expect(await accounts()).toHaveLength(1);
    await change({ gateway: { ...KEYS, publicKey: '_next' } });
    expect((await accounts()).map(({ replaced_at }) => replaced_at === null)).toEqual([false, true]);
    expect(await publicKeyOf()).toBe('_next');
    expect((await change({ gateway: null })).json().gateway).toBeNull();
    expect(await publicKeyOf()).toBe(portalsOwn);

    const { rows } = await portal.deps.db.query.execute(sql`
      SELECT detail FROM audit_event WHERE subject = ${`franchise ${made.franchiseId}`} ORDER BY id LIMIT 1`);
    expect(rows).toEqual([{ detail: { settings: ['gateway'] } }]);
  });

  test('a franchise that is not there is 404', async () => {
    const answer = await callOffice(portal, 'PUT', '/franchises/999999', { body: { name: 'X' } });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().detail).toBe('This franchise is not known. Import its invoices first.');
  });

  const PERCENT = 'Please enter a whole percentage from 0 to 100.';
  const ZONE = 'Please enter a time zone such as America/Chicago.';
  test.each<[string, unknown, string, string]>([
    ['a blank name', { name: ' ' }, 'name', 'Please enter your name.'],
    ['no name', { name: null }, 'name', 'Please enter your name.'],
    ['a long name', { name: 'a'.repeat(201) }, 'name', 'Please shorten your name to 200 characters.'],
    ['a name with a NUL', { name: 'a\u0000' }, 'name', 'Please check your name.'],
    ['a phone that is a number', { phone: 5 }, 'phone', 'Please check your phone number.'],
    [
      'a long phone',
      { phone: '1'.repeat(41) },
      'phone',
      'Please shorten your phone number to 40 characters.',
    ],
    ['a wrong email', { email: 'office' }, 'email', 'Please enter a valid email address.'],
    [
      'a long address',
      { address: 'a'.repeat(301) },
      'address',
      'Please shorten your address to 300 characters.',
    ],
    ['an unknown zone', { timeZone: 'Chicago' }, 'timeZone', ZONE],
    ['an offset for a zone', { timeZone: '+05:00' }, 'timeZone', ZONE],
    ['a credit above 100', { maxCreditPercent: 101 }, 'maxCreditPercent', PERCENT],
    ['a negative credit', { maxCreditPercent: -1 }, 'maxCreditPercent', PERCENT],
    ['half a percent', { maxCreditPercent: 0.5 }, 'maxCreditPercent', PERCENT],
    ['a percentage in words', { maxCreditPercent: '10' }, 'maxCreditPercent', PERCENT],
    [
      'keys without a PIN',
      { gateway: { apiKey: 'a', publicKey: 'c' } },
      'gateway.pin',
      'Please enter your PIN.',
    ],
    ['an empty key', { gateway: { ...KEYS, apiKey: '' } }, 'gateway.apiKey', 'Please enter your API key.'],
    ['more keys', { gateway: { ...KEYS, url: 'x' } }, 'gateway.url', 'This field is not known.'],
    ['an unknown field', { city: 'x' }, 'city', 'This field is not known.'],
  ])('%s is refused with a sentence for its field', async (_what, body, field, description) => {
    const { franchiseId } = await makeInvoice(portal.deps.db.query);
    const answer = await callOffice(portal, 'PUT', `/franchises/${franchiseId}`, { body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([{ field, description }]);
  });

  test.each(['0', '-1', 'abc', '1.5', '99999999999'])('franchise %s is refused', async (franchiseId) => {
    const answer = await callOffice(portal, 'PUT', `/franchises/${franchiseId}`, { body: { name: 'X' } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail).toBe('Invalid franchise number');
  });
});

describe('PUT /api/office/users/{email}', () => {
  const switchUser = (email: string, active: unknown) =>
    callOffice(portal, 'PUT', `/users/${encodeURIComponent(email)}`, { body: { active } });
  const signIn = (email: string) =>
    call(portal, 'POST', '/authentication/login', { body: { email, password: TEST_PASSWORD } });

  test('switches an account off, which ends its sessions at once, and on again', async () => {
    const user = await signInUser(portal);
    const getUser = () => call(portal, 'GET', '/user', { token: user.token });
    const refresh = () =>
      call(portal, 'POST', '/authentication/refresh', { body: { refreshToken: user.refreshToken } });
    expect((await getUser()).statusCode).toBe(200);

    const off = await switchUser(` ${user.email.toUpperCase()}`, false);
    expect(off.statusCode).toBe(200);
    expect(off.json()).toEqual({ email: user.email, active: false });
    expect((await getUser()).statusCode).toBe(401);
    expect((await refresh()).statusCode).toBe(401);
    expect((await signIn(user.email)).json()).toMatchObject({ status: 401, detail: 'LockedOut' });

    expect((await switchUser(user.email, true)).json()).toEqual({ email: user.email, active: true });
    expect((await refresh()).statusCode).toBe(401);
    expect((await signIn(user.email)).statusCode).toBe(200);
  });

  test('keeps others signed in', async () => {
    const [off, other] = [await signInUser(portal), await signInUser(portal)];
    await switchUser(off.email, false);
    expect((await call(portal, 'GET', '/user', { token: other.token })).statusCode).toBe(200);
  });

  test('an unknown address is 404', async () => {
    const answer = await switchUser('nobody@example.com', false);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().detail).toBe('There is no account with this email address.');
  });

  test.each<[string, string, unknown, string]>([
    ['text for active', '', { active: 'false' }, 'Say true or false.'],
    ['a number for active', '', { active: 0 }, 'Say true or false.'],
    ['nothing', '', {}, 'Say true or false.'],
    ['more', '', { active: true, admin: true }, 'This field is not known.'],
    ['an address that is none', 'zoe', { active: true }, 'Please enter a valid email address.'],
  ])('%s is refused', async (_what, email, body, detail) => {
    const user = await makeUser(portal);
    const answer = await callOffice(portal, 'PUT', `/users/${email || user.email}`, { body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail).toBe(detail);
  });
});

describe('GET /api/office/status', () => {
  test('says what is open', async () => {
    const read = async () => (await callOffice(portal, 'GET', '/status')).json();
    const before = await read();
    expect(before).toMatchObject({
      lastImportAt: null,
      payments: { undecided: 0, unfinished: [], inReview: 0 },
      refunds: { underWay: [], needPerson: 0 },
      mail: { waiting: 0, waitingSince: null, late: 0, givenUp: 0 },
    });
    await callOffice(portal, 'POST', '/import', { body: { rows: [] } });
    await portal.deps.db.query.execute(sql`
      INSERT INTO outgoing_mail (kind, recipient, content, next_try_at) VALUES
        ('invitation', 'a@example.com', '{}', clock_timestamp()), ('invitation', 'b@example.com', '{}', NULL),
        ('invitation', 'c@example.com', '{}', clock_timestamp() - interval '2 minutes')`);
    expect(await read()).toMatchObject({
      lastImportAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      mail: { waiting: 2, waitingSince: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), late: 1, givenUp: 1 },
    });
  });
});
