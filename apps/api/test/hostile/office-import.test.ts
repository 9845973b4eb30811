import { randomUUID } from 'node:crypto';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { beforeAll, describe, expect, test } from 'vitest';
import { fingerprint } from '../books/fingerprint.ts';
import { useTestApp } from '../build-test-app.ts';
import { importRows, officeRow, type Row, toCsv } from '../office/office.ts';
import { callConsole, makeStaff, OFFICE_SETTINGS, signInStaff } from '../office/office-people.ts';
import { judgeAnswer } from './judge-answer.ts';

const portal = useTestApp(OFFICE_SETTINGS);

const OWN = officeRow();
const OTHER = officeRow();
let clerk: string;
let colleague: string;
let owner: string;
beforeAll(async () => {
  expect((await importRows(portal, [OWN, OTHER])).statusCode).toBe(200);
  const franchiseIds = [Number(OWN.franchiseId)];
  const signIn = async (role: 'clerk' | 'owner') =>
    signInStaff(portal, await makeStaff(portal, { role, franchiseIds }));
  clerk = await signIn('clerk');
  colleague = await signIn('clerk');
  owner = await signIn('owner');
});

const send = (path: string, body: string | Buffer, { cookie = clerk, type = 'text/csv' } = {}) =>
  callConsole(portal, 'POST', path, { cookie, body, headers: { 'content-type': type } });
const check = (rows: Row[], { cookie = clerk, importId = randomUUID() as string } = {}) =>
  send(`/import/preview?importId=${importId}`, toCsv(rows), { cookie });

const STORED = 'must stay as it is stored: an owner or headquarters may change it';

describe('a clerk’s file', () => {
  test.each<[string, Partial<Row>, object]>([
    [
      'of another franchise',
      OTHER,
      { column: 'franchiseId', value: OTHER.franchiseId, rule: 'must be one of your franchises' },
    ],
    [
      'of a new franchise',
      { franchiseId: '98765' },
      { column: 'franchiseId', value: '98765', rule: 'must be one of your franchises' },
    ],
    [
      'in another zone',
      { timeZone: 'America/New_York' },
      { column: 'timeZone', value: 'America/New_York', rule: STORED },
    ],
    [
      'under another name',
      { franchiseName: 'Clear View West' },
      { column: 'franchiseName', value: 'Clear View West', rule: STORED },
    ],
  ])('%s has a fault, and is not imported', async (_what, given, fault) => {
    const before = await fingerprint(portal, { but: ['office_import', 'office_session', 'limit_counter'] });
    const importId = randomUUID();
    const rows = [OWN, { ...OWN, workOrderNumber: '77', ...given }];
    const checked = await check(rows, { importId });
    expect(checked.statusCode, checked.body).toBe(200);
    expect(checked.json()).toMatchObject({ faultCount: 1, faults: [{ line: 3, ...fault }] });
    const imported = await send(`/import?importId=${importId}`, toCsv(rows));
    expect(imported.statusCode).toBeGreaterThanOrEqual(400);
    expect(imported.statusCode).toBeLessThan(500);
    expect(await fingerprint(portal, { but: ['office_import', 'office_session', 'limit_counter'] })).toEqual(
      before,
    );
  });

  test('in another zone is an owner’s to send', async () => {
    const checked = await check([{ ...OWN, timeZone: 'America/New_York' }], { cookie: owner });
    expect(checked.json()).toMatchObject({ faultCount: 0 });
  });

  test('is checked first, by the person who imports it', async () => {
    const unchecked = await send('/import', toCsv([OWN]));
    expect(unchecked.json()).toMatchObject({ status: 400, detail: 'Check the file first.' });
    const importId = randomUUID();
    await check([OWN], { importId });
    for (const path of [`/import?importId=${importId}`, `/import/preview?importId=${importId}`]) {
      expect((await send(path, toCsv([OWN]), { cookie: colleague })).statusCode).toBe(404);
    }
    expect((await send(`/import?importId=${importId}`, toCsv([OWN]))).json()).toMatchObject({ unchanged: 1 });
  });
});

const NASTY = [
  "'; DROP TABLE invoice; --",
  '=HYPERLINK("http://evil.example")',
  'a\u0000b',
  '\ufffd\u202e',
  '<script>alert(1)</script>',
  '-1',
  '1e9',
  '99999999999999999999999',
  'x'.repeat(5_000),
  '',
];

const csv = toCsv([OWN]);
const BODIES: [string, string | Buffer, string][] = [
  ['nothing', '', 'text/csv'],
  ['no header', '1,2,3\n', 'text/csv'],
  ['a header alone', `${INVOICE_COLUMNS.join(',')}\n`, 'text/csv'],
  ['a column too many', csv.replace('franchiseId', 'evil,franchiseId'), 'text/csv'],
  ['a column twice', csv.replace('franchiseName', 'franchiseId'), 'text/csv'],
  ['quotation marks that do not end', `${csv}"`, 'text/csv'],
  ['bytes of no text', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x0a]), 'text/csv'],
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), 'text/csv'],
  ['a very long line', `${csv}${'x'.repeat(300_000)}\n`, 'text/csv'],
  ['a form', 'file=a', 'application/x-www-form-urlencoded'],
  ['a text', csv, 'text/plain'],
  ['no JSON', '{', 'application/json'],
  ['a number', '1', 'application/json'],
  ['null', 'null', 'application/json'],
  ['rows that are none', '{"rows":7}', 'application/json'],
  ['rows of nothing', '{"rows":[null,[],{}]}', 'application/json'],
  ['a prototype', '{"rows":[{"__proto__":{"franchiseId":1}}]}', 'application/json'],
  ['a deep one', `{"rows":${'['.repeat(4_000_000)}`, 'application/json'],
  ['a wide one', `{"x":[${'{},'.repeat(1_000_000)}`, 'application/json'],
  // One line per column.
  ...NASTY.map((value): [string, string, string] => [
    value.slice(0, 20),
    toCsv(INVOICE_COLUMNS.map((column) => ({ ...OWN, [column]: value }))),
    'text/csv',
  ]),
];

test.each([
  ['a check', (id: string) => `/import/preview?importId=${id}`],
  ['an import', (id: string) => `/import?importId=${id}`],
])('%s of whatever is sent tells nothing and breaks nothing', async (_what, path) => {
  const before = await fingerprint(portal, { but: ['office_import', 'office_session', 'limit_counter'] });
  const faults: string[] = [];
  for (const [what, body, type] of BODIES) {
    const answer = await send(path(randomUUID()), body, { type });
    if (answer.statusCode >= 500) faults.push(`${what}: ${answer.statusCode}`);
    faults.push(...judgeAnswer(answer, { mayQuote: true }).map((fault) => `${what}: ${fault}`));
  }
  for (const query of ['x', `${randomUUID()}&importId=${randomUUID()}`, "'%20OR%201=1", '%00']) {
    const answer = await send(path(query), csv);
    if (answer.statusCode !== 400) faults.push(`${query}: ${answer.statusCode}`);
  }
  const named = await send(
    `${path(randomUUID())}&fileName=${encodeURIComponent(`a\u0000${'b'.repeat(5_000)}`)}`,
    csv,
  );
  if (named.statusCode >= 500) faults.push(`a file name: ${named.statusCode}`);
  expect(faults).toEqual([]);
  expect(await fingerprint(portal, { but: ['office_import', 'office_session', 'limit_counter'] })).toEqual(
    before,
  );
});
