import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { useTestApp } from '../build-test-app.ts';
import { makePayment, type PaidInvoice } from '../factories/payments/decided-payments.ts';
import { makeRefund } from '../factories/refund-rows.ts';
import { callOffice, importRows, OFFICE_KEY_ID, officeRow } from '../office/office.ts';
import { OFFICE_ORIGIN, OFFICE_SETTINGS } from '../office/office-people.ts';
import { type Caller, makeCallers } from '../office-matrix/callers.ts';
import { INJECTIONS } from './injections.ts';
import { judgeAnswer, judgeRefusal } from './judge-answer.ts';

const portal = useTestApp({ ...OFFICE_SETTINGS, NODE_ENV: 'development' });

/** A customer that only another office may read, with more than a page of everything. */
const HIDDEN = 'Quincy Hidden';
const MORE_THAN_A_PAGE = 51;
const OWN = officeRow();

/** Each list, and a caller who sees only one office's rows in it; null if only headquarters may read it. */
const LISTS: [path: string, ofOneOffice: Caller | null][] = [
  ['/payments', 'key for one franchise'],
  ['/invoices', 'key for one franchise'],
  ['/invoices?status=open', 'key for one franchise'],
  ['/customers', 'key for one franchise'],
  ['/refunds', 'key for one franchise'],
  ['/imports', 'key for one franchise'],
  ['/audit', 'owner'],
  ['/differences', null],
  ['/differences?state=acknowledged', null],
];

/** Values that scanners try everywhere. */
const VALUES: unknown[] = [...INJECTIONS, '', null, true, 1.5, 1e300, [], [[1]], {}, { toString: 'x' }];

/** Keys of the right type, or nearly, that no row ever had. */
const FORGED: unknown[] = [
  ...[0, -1, 2_147_483_647, 2_147_483_648, Number.MAX_SAFE_INTEGER],
  ...['infinity', '-infinity', '0000-00-00', '0000-01-01', '2026-02-30', '9999-12-31'],
  ...['0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59.999999Z'],
  ...['2026-11-03T00:00:00+23:59', '2026-11-03T00:00:00-15:59', `2026-11-03T00:00:00.${'1'.repeat(150)}Z`],
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ...['a\u0000b', '\ud800', '\u202e'],
];

let headersOf: (caller: Caller) => Promise<Record<string, string>>;
/** The cursor of each list's second page, as headquarters get it. */
const cursors = new Map<string, string>();

beforeAll(async () => {
  const franchiseId = officeRow().franchiseId;
  const theirs = Array.from({ length: 2 * MORE_THAN_A_PAGE }, () =>
    officeRow({ franchiseId, customerName: HIDDEN }),
  );
  await importRows(portal, [OWN, ...theirs]);
  const db = portal.deps.db.query;
  const { rows } = await db.execute<PaidInvoice>(sql`
    SELECT id AS "invoiceId" FROM invoice WHERE franchise_id = ${franchiseId} ORDER BY id LIMIT ${MORE_THAN_A_PAGE}`);
  for (const invoice of rows) {
    const payment = await makePayment(portal.deps, { invoices: [invoice], payerEmail: 'hidden@example.com' });
    await makeRefund(portal.deps, payment, { invoiceCents: 1_00 });
  }
  const many = sql`generate_series(1, ${MORE_THAN_A_PAGE}) AS n`;
  await db.execute(sql`
    INSERT INTO audit_event (actor, action, subject, franchise_id)
    SELECT 'robin@example.com', 'noted', ${HIDDEN}, ${franchiseId} FROM ${many}`);
  await db.execute(sql`
    INSERT INTO office_import (id, api_key_id, file_name, state)
    SELECT gen_random_uuid(), ${OFFICE_KEY_ID}, ${HIDDEN}, 'checked' FROM ${many}`);
  await db.execute(sql`
    INSERT INTO book_difference (kind, merchant_account_id, order_id, reference, amount_cents,
                                 acknowledged_by, acknowledged_at, note)
    SELECT 'not-in-our-books', (SELECT min(id) FROM merchant_account), 'order ' || n, '', 100,
           seen.by, seen.at, seen.by
      FROM ${many}, (VALUES (NULL::text, NULL::timestamptz), ('robin', engine_now())) AS seen (by, at)`);
  headersOf = await makeCallers(portal, { franchiseId: Number(OWN.franchiseId) });
  for (const [path] of LISTS) {
    const page = (await callOffice(portal, 'GET', path)).json<{ items: object[]; next: string | null }>();
    if (page.next === null) throw new Error(`${path} has one page`);
    cursors.set(path, page.next);
  }
});

const cursorOf = (path: string) => cursors.get(path) ?? '';
const write = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const keysIn = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];

async function ask(path: string, cursor: string, caller: Caller = 'environment') {
  const url = `/api/office${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
  const host = new URL(OFFICE_ORIGIN).host;
  return portal.app.inject({ method: 'GET', url, headers: { host, ...(await headersOf(caller)) } });
}

/** A customer's name may be any text. */
const isName = (path: string, at: number) => path === '/customers' && at === 0;

/** Cursors that no page of this list has returned, with keys of any type. */
function strangers(path: string): [what: string, cursor: string][] {
  const own = cursorOf(path);
  const [mark, ...keys] = keysIn(own);
  return [
    ...VALUES.map((value) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [`as it is: ${text}`, text] as const;
    }),
    ...VALUES.flatMap((value) =>
      keys.flatMap((_, at) =>
        isName(path, at) && typeof value === 'string'
          ? []
          : [[`key ${at}: ${JSON.stringify(value)}`, write([mark, ...keys.with(at, value)])] as const],
      ),
    ),
    ...VALUES.map((value) => [`mark: ${JSON.stringify(value)}`, write([value, ...keys])] as const),
    ...LISTS.filter(([other]) => other !== path).map(([other]) => [`of ${other}`, cursorOf(other)] as const),
    ...[1, 2, 5, 20].map((left) => [`${left} letters short`, own.slice(0, -left)] as const),
    ...[1, 4, 5].map((left) => [`from letter ${left}`, own.slice(left)] as const),
    ['twice', own + own],
    ['a key less', write([mark, ...keys.slice(0, -1)])],
    ['a key more', write([mark, ...keys, 1])],
    ['no mark', write(keys)],
    ['in a list', write([[mark, ...keys]])],
    ['deep', Buffer.from('['.repeat(300)).toString('base64url')],
    ['huge', write([mark, 'x'.repeat(10_000), ...keys.slice(1)])],
  ].map(([what = '', cursor = '']): [string, string] => [what, cursor]);
}

test.each(LISTS)('%s refuses each cursor that is not one of its own', async (path) => {
  const faults: string[] = [];
  const tried = strangers(path);
  expect(tried.length).toBeGreaterThan(60);
  for (const [what, cursor] of tried) {
    const answer = await ask(path, cursor);
    const [error] = answer.json<{ errors?: { field?: string }[] }>().errors ?? [];
    const told = judgeRefusal(answer, 400);
    if (error?.field !== 'cursor') told.push(`is about ${error?.field}`);
    faults.push(...told.map((fault) => `${what}: ${fault}`));
  }
  expect(faults).toEqual([]);
  expect((await ask(path, cursorOf(path))).statusCode).toBe(200);
});

test.each(LISTS)('%s breaks at no key that somebody made up', async (path) => {
  const [mark, ...keys] = keysIn(cursorOf(path));
  const faults: string[] = [];
  for (const at of keys.keys()) {
    for (const value of isName(path, at) ? [...VALUES, ...FORGED] : FORGED) {
      const answer = await ask(path, write([mark, ...keys.with(at, value)]));
      const told = answer.statusCode === 200 ? judgeAnswer(answer) : judgeRefusal(answer, 400);
      faults.push(...told.map((fault) => `key ${at}, ${JSON.stringify(value)}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
});

const OF_OFFICES = LISTS.flatMap(([path, caller]) => (caller === null ? [] : [[path, caller] as const]));

test.each(OF_OFFICES)(
  '%s shows an office its own rows behind a cursor of somebody else',
  async (path, caller) => {
    const everything = await ask(path, cursorOf(path));
    expect(everything.json<{ items: object[] }>().items).not.toEqual([]);
    const answer = await ask(path, cursorOf(path), caller);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).not.toContain(HIDDEN);
    for (const { franchiseId } of answer.json<{ items: { franchiseId?: number }[] }>().items) {
      expect([undefined, Number(OWN.franchiseId)]).toContain(franchiseId);
    }
  },
);
