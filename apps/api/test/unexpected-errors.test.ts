import { afterEach, describe, expect, test } from 'vitest';
import { call } from './build-test-app.ts';
import { useEmulator } from './emulator.ts';
import { makeInvoice } from './factories/invoices.ts';
import { guestSale, payAsGuest, usePaymentsApp } from './factories/payments/payments.ts';
import { addCard, portalSale } from './factories/unpaid-invoices.ts';
import { linkLocation, signInUser, TEST_PASSWORD } from './factories/users.ts';
import { keepLog } from './kept-log.ts';
import { callOffice, importRows, officeRow } from './office/office.ts';

const kept = keepLog();
const emulator = useEmulator();
const portal = usePaymentsApp(emulator, () => ({}), { log: kept.log });

const EMAIL = 'zoe.private@example.com';
let mend: (() => Promise<unknown>) | undefined;
afterEach(async () => {
  await mend?.();
  mend = undefined;
});

const run = (statement: string) => portal.deps.db.pool.query(statement);

/** Takes a table away while the portal runs. */
async function without(table: string): Promise<void> {
  await run(`ALTER TABLE ${table} RENAME TO ${table}_away`);
  mend = () => run(`ALTER TABLE ${table}_away RENAME TO ${table}`);
}

type Call = () => Promise<{
  statusCode: number;
  body: string;
  headers: Record<string, unknown>;
  json(): unknown;
}>;

const NUMBERS = { franchiseId: 1, workOrderNumber: 2, zipCode: '62704' };
const CARD = '/usaepay/portal/paymentmethods/0198f1de-0000-7000-8000-000000000000';

const search: Call = () => call(portal, 'POST', '/user/invoice/search', { body: NUMBERS });
const signIn: Call = () =>
  call(portal, 'POST', '/authentication/login', { body: { email: EMAIL, password: TEST_PASSWORD } });
const register: Call = () =>
  call(portal, 'POST', '/user/register', {
    body: { email: EMAIL, firstName: 'Zoë', lastName: 'P', password: 'correct horse battery' },
  });
const confirm: Call = () =>
  call(portal, 'POST', '/user/confirm', { body: { email: EMAIL, token: 'x'.repeat(43) } });
const resetPassword: Call = () =>
  call(portal, 'POST', `/user/resetpassword?email=${encodeURIComponent(EMAIL)}`);
const importOne: Call = () => importRows(portal, [officeRow({ customerEmail: EMAIL })]);
const asUser =
  (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Call =>
  async () =>
    call(portal, method, path, { token: (await signInUser(portal)).token, body });
const payOne: Call = async () =>
  payAsGuest(portal, await guestSale(emulator, await makeInvoice(portal.deps.db.query), { email: EMAIL }));

/** Bugs and broken parts: what is taken away, and the call that needs it. */
const TROUBLES: [what: string, spoil: () => Promise<unknown>, send: Call][] = [
  ['look-up, invoices gone', () => without('location'), search],
  ['look-up, limits gone', () => without('limit_counter'), search],
  ['sign-in, users gone', () => without('app_user'), signIn],
  ['sign-in, limits gone', () => without('limit_counter'), signIn],
  ['registration, mail queue gone', () => without('outgoing_mail'), register],
  ['locations gone', () => without('user_location'), asUser('GET', '/user/location')],
  ['invoices gone', () => without('invoice'), asUser('GET', '/user/invoice')],
  ['cards gone', () => without('payment_method'), asUser('GET', '/usaepay/portal/paymentmethods')],
  ['invitations gone', () => without('invitation'), asUser('GET', '/user/invitations')],
  ['payment, claims gone', () => without('invoice_claim'), payOne],
  ['payment, allocations gone', () => without('charge_allocation'), payOne],
  [
    'payment, the box that opens the account’s keys is broken',
    async () => {
      const { secretBox } = portal.deps;
      const broken = () => {
        throw new TypeError('a bug');
      };
      portal.deps.secretBox = { ...secretBox, open: broken };
      mend = async () => {
        portal.deps.secretBox = secretBox;
      };
    },
    payOne,
  ],
  ['import, customers gone', () => without('customer'), importOne],
  ['status, jobs gone', () => without('outgoing_mail'), () => callOffice(portal, 'GET', '/status')],
  ['look-up, franchises gone', () => without('franchise'), search],
  ['registration, users gone', () => without('app_user'), register],
  ['registration, limits gone', () => without('limit_counter'), register],
  ['confirmation, limits gone', () => without('limit_counter'), confirm],
  ['a new password, limits gone', () => without('limit_counter'), resetPassword],
  ['accepting, invitations gone', () => without('invitation'), asUser('POST', '/user/invitations')],
  [
    'another location, limits gone',
    () => without('limit_counter'),
    asUser('POST', '/user/location', NUMBERS),
  ],
  ['removing a location, links gone', () => without('user_location'), asUser('DELETE', '/user/location/1')],
  ['removing a card, cards gone', () => without('payment_method'), asUser('DELETE', CARD)],
  ['payment, payments gone', () => without('payment_intent'), payOne],
  ['payment, charges gone', () => without('charge'), payOne],
  ['payment, accounts gone', () => without('merchant_account'), payOne],
  ['payment, limits gone', () => without('limit_counter'), payOne],
  ['import, places gone', () => without('location'), importOne],
  [
    'a function that throws',
    async () => {
      const { clock } = portal.deps;
      portal.deps.clock = () => {
        throw new TypeError(`no clock for ${EMAIL}`);
      };
      mend = async () => {
        portal.deps.clock = clock;
      };
    },
    signIn,
  ],
];

describe('an unexpected error', () => {
  test.each(TROUBLES)('is answered without a word of it: %s', async (_what, spoil, send) => {
    await spoil();
    kept.clear();
    const answer = await send();
    expect(answer.json()).toEqual({
      title: 'Internal Server Error',
      status: 500,
      detail: 'Internal server error',
      errors: [],
      requestId: answer.headers['x-request-id'],
    });
    expect(answer.statusCode).toBe(500);
    const errors = kept.events().filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([{ msg: 'unexpected error', requestId: answer.headers['x-request-id'] }]);
    expect(kept.lines.join('')).not.toContain(EMAIL);
  });

  test('of a payment has charged nothing, and the payer can pay afterwards', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const user = await signInUser(portal);
    await linkLocation(portal, { ...user, ...made });
    const paymentMethodId = await addCard(portal, emulator, user);
    const before = (await emulator.ledger()).length;
    await without('charge_allocation');
    const pay = () =>
      call(portal, 'POST', '/usaepay/customerportalsale', {
        token: user.token,
        body: portalSale([made], { paymentMethodId }),
        headers: { 'idempotency-key': 'once-and-only-once' },
      });
    const failed = await pay();
    expect([failed.statusCode, failed.body]).toEqual([500, expect.not.stringContaining('NotCharged')]);
    expect(await emulator.ledger()).toHaveLength(before);
    await mend?.();
    mend = undefined;
    expect((await pay()).statusCode).toBe(200);
  });
});

test('a Host header finds its way into no mail, no link and no answer', async () => {
  const user = await signInUser(portal);
  const made = await makeInvoice(portal.deps.db.query);
  await linkLocation(portal, { ...user, ...made });
  const headers = {
    host: 'evil.example.net',
    'x-forwarded-host': 'evil.example.net',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example.net',
    'x-original-url': '/evil',
  };
  const answers = [
    await call(portal, 'POST', `/user/resetpassword?email=${user.email}`, { headers }),
    await call(portal, 'GET', '/user/invoice', { token: user.token, headers }),
    await call(portal, 'GET', '/nothing', { headers }),
  ];
  for (const answer of answers) expect(answer.body + JSON.stringify(answer.headers)).not.toContain('evil');
  expect(answers[1]?.body).toContain('https://pay.example.com/api/documents/');
  await callOffice(portal, 'POST', '/invitations', {
    body: { franchiseId: made.franchiseId, customerNumber: 1, email: user.email },
    headers,
  });
  const { answerMailRequests } = await import('../src/modules/auth/mailbox/answer-mail-requests.ts');
  await answerMailRequests(portal.deps);
  const { rows } = await run('SELECT content::text FROM outgoing_mail');
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).toContain('https://pay.example.com/resetpassword');
  expect(JSON.stringify(rows)).not.toContain('evil');
});
