import { OFFICE_ENDPOINTS, type OfficeEndpoint } from '@brightpane/contract/office-endpoints';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { stepAt, totpCode } from '../src/modules/staff/factors/totp.ts';
import { fingerprint } from './books/fingerprint.ts';
import { useTestApp } from './build-test-app.ts';
import { makeInvoice } from './factories/invoices.ts';
import { makeOfficeKey } from './factories/office-keys.ts';
import { makePayment } from './factories/payments/decided-payments.ts';
import { signInUser } from './factories/users.ts';
import { fromBase32 } from './office/from-base32.ts';
import { importRows, officeRow, type Row, toCsv } from './office/office.ts';
import {
  callConsole,
  codeOf,
  cookieOf,
  makeStaff,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  signInStaff,
  type TestPerson,
} from './office/office-people.ts';

// Somebody gets a clerk's password, then her unlocked browser, then a franchise's key, and finally a script in the
// payers' pages. Shows what each can't reach, and that each refusal is counted.

const portal = useTestApp({ ...OFFICE_SETTINGS, CORS_ORIGINS: 'https://shop.example.com' });

type Office = { row: Row; franchiseId: number; invoice: string; customer: string; payment: string };
let own: Office;
let other: Office;
let clerk: TestPerson;
beforeAll(async () => {
  // One more person, who could be asked.
  await makeStaff(portal);
  own = await makeOffice();
  other = await makeOffice();
  clerk = await makeStaff(portal, { role: 'clerk', franchiseIds: [own.franchiseId] });
});

async function makeOffice(): Promise<Office> {
  const row = officeRow();
  await importRows(portal, [row]);
  const franchiseId = Number(row.franchiseId);
  const paid = await makeInvoice(portal.deps.db.query, { franchiseId });
  const { paymentId } = await makePayment(portal.deps, { invoices: [paid] });
  return {
    row,
    franchiseId,
    invoice: `/invoices/${franchiseId}/${row.workOrderNumber}`,
    customer: `/customers/${franchiseId}/${row.customerNumber}`,
    payment: `/payments/${paymentId}`,
  };
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Try = [method: Method, path: string, body?: unknown];
type Answer = { statusCode: number; body: string };

/** The books and the access to them, without the records of the attempts themselves. */
const kept = () =>
  fingerprint(portal, {
    but: ['audit_event', 'limit_counter', 'office_api_key', 'office_session', 'staff_factor'],
  });

async function countRefusals(): Promise<number> {
  const { values } = await portal.deps.metrics.requests.get();
  return values
    .filter(({ metricName, labels }) => metricName?.endsWith('_count') && Number(labels.status) >= 400)
    .reduce((sum, { value }) => sum + value, 0);
}

async function countActs(action: string): Promise<number> {
  const { rows } = await portal.deps.db.query.execute<{ count: number }>(
    sql`SELECT count(*)::integer AS count FROM audit_event WHERE action = ${action}`,
  );
  return rows[0]?.count ?? 0;
}

/** A code that her app doesn't show, not even a step early or late. */
function wrongCode(): string {
  const shown = [-1, 0, 1].map((step) => codeOf(portal, clerk, step));
  return ['000000', '111111', '222222', '333333'].find((code) => !shown.includes(code)) ?? '';
}

const outcomeOf = ({ statusCode, body }: Answer) => {
  const { errors } = (body === '' ? {} : JSON.parse(body)) as { errors?: { code: string }[] };
  return `${statusCode} ${errors?.[0]?.code ?? ''}`.trim();
};

/** Each attempt's outcome; checks that each was counted and that nothing has changed. */
async function tryAll(call: (...tried: Try) => Promise<Answer>, tries: Try[]): Promise<string[]> {
  const [before, refused] = [await kept(), await countRefusals()];
  const outcomes: string[] = [];
  for (const [method, path, body] of tries) outcomes.push(outcomeOf(await call(method, path, body)));
  expect(await kept()).toEqual(before);
  expect(await countRefusals()).toBe(refused + outcomes.filter((outcome) => !outcome.startsWith('2')).length);
  return outcomes;
}

const REPLACED_KEYS = { gateway: { apiKey: 'mine', pin: '1234', publicKey: '_mine' } };

/** Another office's things by their numbers; lists of them are empty. */
const notTheirs = (): Try[] => [
  ['GET', other.invoice],
  ['GET', other.customer],
  ['GET', other.payment],
  ['POST', `${other.customer}/invitations`, { email: 'mine@example.com' }],
  ['POST', `${other.customer}/notes`, { text: 'mine' }],
  ['POST', `${other.payment}/receipt`, { email: 'mine@example.com' }],
];

async function expectNothingOfOther(read: (path: string) => Promise<Answer>): Promise<void> {
  for (const list of ['payments', 'invoices', 'customers']) {
    for (const filter of [`franchiseId=${other.franchiseId}`, `search=%23${other.row.workOrderNumber}`]) {
      const answer = await read(`/${list}?${filter}`);
      expect([list, filter, JSON.parse(answer.body).items]).toEqual([list, filter, []]);
    }
  }
}

test('a clerk’s password alone opens nothing, and guessing at her codes ends in words to all', async () => {
  const start = () =>
    callConsole(portal, 'POST', '/session', { body: { email: clerk.email, password: STAFF_PASSWORD } });
  const cookie = cookieOf(await start());
  const anywhere = Object.values<OfficeEndpoint>(OFFICE_ENDPOINTS)
    .filter(({ from, path }) => from === undefined && !path.includes('demo'))
    .map(({ method, path }): Try => [method, path.replace(/^\/office/, '').replace(/:\w+/g, '1')]);
  expect(anywhere.length).toBeGreaterThan(60);
  const outcomes = await tryAll((method, path) => callConsole(portal, method, path, { cookie }), anywhere);
  expect(new Set(outcomes)).toEqual(new Set(['401 SignedOut']));

  const before = await countActs('refuse-factor');
  const guesses = Array.from({ length: 6 }, (): Try => ['POST', '/session/totp', { code: wrongCode() }]);
  const guessed = await tryAll(
    (method, path, body) => callConsole(portal, method, path, { cookie, body }),
    [...guesses, ['POST', '/session/recovery', { code: 'AAAA-AAAA-AAAA-AAAA' }]],
  );
  expect(guessed.slice(0, 5)).toEqual(Array(5).fill('401 CodeWrong'));
  // The started sign-in has ended.
  expect(guessed.slice(5)).toEqual(['401 SignInExpired', '401 SignInExpired']);
  expect(await countActs('refuse-factor')).toBe(before + 5);
});

test('her unlocked browser gives no export, no factor, no keys, no role, and nothing of another office', async () => {
  const cookie = await signInStaff(portal, clerk);
  const call = (...[method, path, body]: Try) => callConsole(portal, method, path, { cookie, body });
  const { rows } = await portal.deps.db.query.execute<{ id: string }>(
    sql`SELECT id FROM staff_factor WHERE staff_id = ${clerk.staffId} AND removed_at IS NULL`,
  );
  const confirmed: Try[] = [
    ['GET', '/payments.csv'],
    ['GET', '/invoices.csv'],
    ['POST', '/recovery-codes', {}],
    ['PUT', '/account/password', { password: 'nine yellow ladders' }],
  ];
  expect(await tryAll(call, confirmed)).toEqual(confirmed.map(() => '403 StepUpRequired'));
  expect(await tryAll(call, [['DELETE', `/factors/${rows[0]?.id}`]])).toEqual(['403 StepUpRequired']);
  const notHers: Try[] = [
    ['GET', '/staff'],
    ['POST', '/staff', { email: 'mine@staff.example', role: 'admin' }],
    ['PUT', `/staff/${clerk.staffId}`, { role: 'owner' }],
    ['DELETE', `/staff/${clerk.staffId}/factors`],
    ['GET', '/api-keys'],
    ['POST', '/api-keys', { name: 'mine', franchiseId: own.franchiseId, rights: ['export'] }],
    ['PUT', `/franchises/${own.franchiseId}`, REPLACED_KEYS],
    ['GET', '/audit'],
    ['GET', '/review'],
    ['POST', '/reconcile'],
  ];
  expect(await tryAll(call, notHers)).toEqual(notHers.map(() => '403 NotAllowed'));
  expect((await tryAll(call, notTheirs())).map((outcome) => outcome.slice(0, 3))).toEqual(
    notTheirs().map(() => '404'),
  );
  await expectNothingOfOther((path) => call('GET', path));

  // The attacker begins to add an app, which shows a code, but adding it requires one of hers.
  const begun = await call('POST', '/factors/totp', {});
  const { factorId, secret } = begun.json<{ factorId: string; secret: string }>();
  const code = totpCode(fromBase32(secret), stepAt(portal.now));
  expect(await tryAll(call, [['POST', '/factors/totp/confirm', { factorId, code, name: 'Mine' }]])).toEqual([
    '403 StepUpRequired',
  ]);
  const before = await countActs('refuse-factor');
  const act = { method: 'GET', path: '/api/office/payments.csv', body: '' };
  const guesses = Array.from({ length: 5 }, (): Try => ['POST', '/step-up/totp', { code: wrongCode(), act }]);
  const ended = await tryAll(call, [...guesses, ['GET', '/me']]);
  expect(ended).toEqual([...Array(5).fill('400 CodeWrong'), '401 SignedOut']);
  expect(await countActs('refuse-factor')).toBe(before + 5);
});

test('a franchise’s key reads and writes its own office, and nothing beyond', async () => {
  const key = await makeOfficeKey(portal, {
    franchiseId: own.franchiseId,
    rights: ['view', 'invite', 'import', 'export', 'refund'],
  });
  const headers = { authorization: `Bearer ${key}` };
  const call = (...[method, path, body]: Try) => callConsole(portal, method, path, { headers, body });
  for (const path of [own.invoice, own.customer, own.payment])
    expect((await call('GET', path)).statusCode).toBe(200);

  const notIts: Try[] = [
    ['POST', '/staff', { email: 'mine@staff.example', role: 'clerk', franchiseIds: [own.franchiseId] }],
    ['PUT', `/staff/${clerk.staffId}`, { role: 'owner' }],
    ['DELETE', `/staff/${clerk.staffId}/factors`],
    ['POST', '/staff/confirm', { all: true }],
    ['POST', '/api-keys', { name: 'mine', franchiseId: null, rights: ['view'] }],
    ['PUT', `/franchises/${own.franchiseId}`, REPLACED_KEYS],
    ['PUT', `/users/${clerk.email}`, { active: false }],
    ['GET', '/status'],
    ['GET', '/review'],
    ['POST', '/restored', {}],
    ['GET', '/audit'],
  ];
  expect(await tryAll(call, notIts)).toEqual(notIts.map(() => '403 NotAllowed'));
  const persons: Try[] = [
    ['GET', '/me'],
    ['POST', '/recovery-codes', {}],
    ['POST', '/factors/totp', {}],
    ['POST', '/step-up/totp', { code: '000000', act: { method: 'GET', path: '/x', body: '' } }],
  ];
  expect(await tryAll(call, persons)).toEqual(persons.map(() => '403 PersonNeeded'));
  expect((await tryAll(call, notTheirs())).map((outcome) => outcome.slice(0, 3))).toEqual(
    notTheirs().map(() => '404'),
  );
  await expectNothingOfOther((path) => call('GET', path));
  for (const file of ['/payments.csv', '/invoices.csv']) {
    const { body } = await call('GET', `${file}?franchiseId=${other.franchiseId}`);
    expect(body.trim().split('\r\n')).toHaveLength(1);
  }

  const stolen = toCsv([{ ...other.row, amount: '10.00' }]);
  const refused = await callConsole(portal, 'POST', '/import', {
    headers: { ...headers, 'content-type': 'text/csv' },
    body: stolen,
  });
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain('must be one of your franchises');

  await portal.deps.db.query.execute(
    sql`UPDATE office_api_key SET revoked_at = engine_now() WHERE public_id = ${key.split('_')[1]}`,
  );
  expect((await call('GET', own.invoice)).statusCode).toBe(401);
});

test('a script of the payers’ pages reaches nothing of the console, whoever is signed in there', async () => {
  const cookie = await signInStaff(portal, await makeStaff(portal));
  const { token } = await signInUser(portal);
  const before = await kept();
  for (const { method, path } of Object.values<OfficeEndpoint>(OFFICE_ENDPOINTS)) {
    const url = path.replace(/^\/office/, '').replace(/:\w+/g, '1');
    const fromPayers = { origin: 'https://pay.example.com', 'sec-fetch-site': 'same-site' };
    const sent = await callConsole(portal, method, url, { cookie, headers: fromPayers });
    // A page of another origin can't read a GET's answer.
    expect(sent.headers).not.toHaveProperty('access-control-allow-origin');
    const outcome = [path, method === 'GET' ? 'read' : outcomeOf(sent)];
    if (!/demo/.test(path)) expect(outcome).toEqual([path, method === 'GET' ? 'read' : '403 ForeignRequest']);
    // On its own host, the page has no office cookie, and a customer's token opens nothing.
    const atHome = { host: 'pay.example.com', origin: 'https://pay.example.com' };
    const asCustomer = { ...atHome, authorization: `Bearer ${token}` };
    for (const given of [{ cookie, headers: atHome }, { headers: asCustomer }]) {
      const { statusCode } = await callConsole(portal, method, url, given);
      expect([path, statusCode]).toEqual([path, expect.toSatisfy((status: number) => status >= 400)]);
    }
  }
  expect(await kept()).toEqual(before);
});
