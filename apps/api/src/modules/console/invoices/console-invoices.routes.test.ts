import type { OfficeInvoice, OfficeInvoiceList } from '@brightpane/contract/office/invoices';
import { parse } from 'csv-parse/sync';
import { type SQL, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { setEngineClock } from '../../../../test/books/engine-clock.ts';
import { call } from '../../../../test/build-test-app.ts';
import { useEmulator } from '../../../../test/emulator.ts';
import { makeInvoice, nextNumber } from '../../../../test/factories/invoices.ts';
import { makeOfficeKey } from '../../../../test/factories/office-keys.ts';
import { makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../../../test/factories/payments/payments.ts';
import { refundAll, undoRefund } from '../../../../test/factories/refund-rows.ts';
import { callOffice, importRows, officeRow, type Row } from '../../../../test/office/office.ts';
import { indexWords } from '../search/index-words.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);

const OWN = '7001';
const OTHER = '7002';
let key: string;

/** Noon in Chicago. */
const NOW = new Date('2026-11-15T18:00:00Z');

/** A due day, counted from today in the franchise's time zone. */
const day = (offset: number) => new Date(NOW.getTime() + offset * 86_400_000).toISOString().slice(0, 10);

const row = (given: Partial<Row>) =>
  officeRow({
    franchiseId: OWN,
    customerNumber: '1',
    locationId: '1',
    customerName: 'Zoë O’Brien',
    completedDate: '2026-10-03',
    dueDate: day(10),
    ...given,
  });

beforeAll(async () => {
  await setEngineClock(portal.deps, NOW);
  const imported = await importRows(portal, [
    row({ workOrderNumber: '1001' }),
    row({ workOrderNumber: '1002', dueDate: day(-1) }),
    row({ workOrderNumber: '1003', dueDate: day(0) }),
    row({ workOrderNumber: '1004', dueDate: '' }),
    row({ workOrderNumber: '1005', dueDate: '', completedDate: '' }),
    row({ workOrderNumber: '1006', paidElsewhere: '108.25' }),
    row({ workOrderNumber: '1007', paidElsewhere: '120.25' }),
    row({ workOrderNumber: '1008', amount: '0.00', salesTaxAmount: '0.00' }),
    row({
      workOrderNumber: '1009',
      customerNumber: '2',
      customerName: '100% Clean_Inc',
      customerEmail: 'Billing@Clean.example',
      locationId: '2',
      addressLine1: '44 Oak Avenue',
      amount: '120.00',
      completedDate: '2026-09-15',
    }),
    row({ franchiseId: OTHER, workOrderNumber: '1001', customerName: 'Zoë Other', locationId: '9' }),
  ]);
  expect(imported.statusCode).toBe(200);
  await indexWords(portal.deps);
  key = await makeOfficeKey(portal, { franchiseId: Number(OWN) });
});

async function list(query = '', as = key): Promise<OfficeInvoiceList> {
  const answer = await callOffice(portal, 'GET', `/invoices${query}`, { key: as });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const numbers = async (query = '', as = key) =>
  (await list(query, as)).items.map(({ workOrderNumber }) => workOrderNumber);

describe('the list of invoices', () => {
  test('starts with the newest work order, and shows each status in words', async () => {
    const { items, next } = await list();
    expect(items.map(({ workOrderNumber, status }) => [workOrderNumber, status])).toEqual([
      [1009, 'due'],
      [1008, 'nothing-due'],
      [1007, 'overpaid'],
      [1006, 'paid'],
      [1005, 'upcoming'],
      [1004, 'pending'],
      [1003, 'due'],
      [1002, 'overdue'],
      [1001, 'due'],
    ]);
    expect(next).toBeNull();
    expect(items[2]).toEqual({
      franchiseId: 7001,
      workOrderNumber: 1007,
      timeZone: 'America/Chicago',
      customer: { customerNumber: 1, name: 'Zoë O’Brien' },
      address: '12 Maple Street, Springfield, IL',
      service: 'Windows, inside and out; Gutters',
      completedDate: '2026-10-03',
      dueDate: day(10),
      amount: 108.25,
      tax: 8.25,
      paid: 0,
      paidElsewhere: 120.25,
      balance: 0,
      overpaid: 12,
      status: 'overpaid',
      tipsEnabled: true,
      credited: 0,
    });
  });

  test.each([
    ['open', [1002, 1003, 1001, 1009, 1004, 1005]],
    ['overdue', [1002]],
    ['paid', [1006]],
    ['overpaid', [1007]],
  ])('of %s ones stands as the screen has it', async (status, expected) => {
    expect(await numbers(`?status=${status}`)).toEqual(expected);
  });

  test('filters by days: of the work, or due days for open invoices', async () => {
    expect(await numbers('?from=2026-09-15&to=2026-09-30')).toEqual([1009]);
    expect(await numbers(`?status=open&from=${day(-1)}&to=${day(0)}`)).toEqual([1002, 1003]);
  });

  test.each([
    ['1003', [1003]],
    ['#1003', [1003]],
    ['zoe obrien', [1008, 1007, 1006, 1005, 1004, 1003, 1002, 1001]],
    ["O'BRIEN maple", [1008, 1007, 1006, 1005, 1004, 1003, 1002, 1001]],
    ['44 oak', [1009]],
    ['billing@cl', [1009]],
    ['$120', [1009]],
    ['about 118', [1009]],
    ['clean >100', [1009]],
    ['clean <100', []],
    ['other', []],
    ['o%rien', []],
    ['c_ean', []],
    ['"zoe clean"', []],
  ])('finds by %j', async (search, expected) => {
    expect(await numbers(`?search=${encodeURIComponent(search)}`)).toEqual(expected);
  });

  test('finds what somebody paid by the beginning of their address', async () => {
    const payment = await makePayment(portal.deps, {
      at: '2026-01-10T18:00:00Z',
      payerEmail: 'Paula_P@payers.example',
    });
    const [{ franchiseId, workOrderNumber } = { franchiseId: 0, workOrderNumber: 0 }] = payment.invoices;
    const own = await makeOfficeKey(portal, { franchiseId });
    for (const search of [
      'paula_p@',
      'PAULA_P@payers',
      `paula_p@ ${workOrderNumber}`,
      `${workOrderNumber} paula_p@`,
    ])
      expect(await numbers(`?search=${encodeURIComponent(search)}`, own), search).toEqual([workOrderNumber]);
    for (const search of ['paula@', 'paulaxp@', 'payers.example@'])
      expect(await numbers(`?search=${encodeURIComponent(search)}`, own), search).toEqual([]);
    expect(await numbers('?search=paula_p@')).toEqual([]);
  });

  test('says how it read the search', async () => {
    const { readAs } = await list('?search=clean%20about%20120');
    expect(readAs?.map(({ text }) => text)).toEqual(['“clean”', 'about $120.00']);
  });

  test.each(['invoices', 'customers', 'payments'])(
    'says by the portal’s clock how it read days in a list of %s without an office',
    async (listed) => {
      const answer = await callOffice(portal, 'GET', `/${listed}?franchiseId=${OTHER}&search=yesterday`, {
        key,
      });
      expect(answer.json().readAs).toMatchObject([{ text: 'Nov 14, 2026' }]);
    },
  );

  test('never shows another office’s invoices', async () => {
    expect(await numbers(`?franchiseId=${OTHER}`)).toEqual([]);
    expect(await numbers('?search=other')).toEqual([]);
    const all = await makeOfficeKey(portal, {});
    expect((await list('?search=1001', all)).items.map(({ franchiseId }) => franchiseId)).toEqual([
      7002, 7001,
    ]);
    expect(await numbers(`?franchiseId=${OTHER}`, all)).toEqual([1001]);
  });

  test.each([
    ['?from=2026-13-01', 'from', 'Please enter a date such as 2026-11-30.'],
    ['?from=2026-11-02&to=2026-11-01', 'from', 'From must not be after To.'],
    ['?status=all', 'status', 'Please choose a status from the list.'],
    ['?franchiseId=x', 'franchiseId', 'Please choose a franchise.'],
    ['?cursor=abc', 'cursor', 'This page does not belong to the list any more. Load the list again.'],
    ['?search=today%20yesterday', 'search', 'Use one date.'],
    ['?search=4000100011112224', 'search', 'Please take the card number out of your search.'],
    ['?page=2', 'page', 'This field is not known.'],
  ])('refuses %s under its field', async (query, field, sentence) => {
    const answer = await callOffice(portal, 'GET', `/invoices${query}`, { key });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([expect.objectContaining({ field, description: sentence })]);
  });
});

describe('among more customers of a street than a search looks at', () => {
  const franchiseId = String(nextNumber());
  let own: string;
  beforeAll(async () => {
    const neighbors = Array.from({ length: 60 }, (_, index) =>
      officeRow({ franchiseId, customerName: `Abe ${index}`, addressLine1: `${index + 9000} Maple Street` }),
    );
    const sought = officeRow({ franchiseId, customerName: 'Zoë Zane', addressLine1: '8042 Maple Street' });
    expect((await importRows(portal, [...neighbors, sought])).statusCode).toBe(200);
    await indexWords(portal.deps);
    own = await makeOfficeKey(portal, { franchiseId: Number(franchiseId) });
    const { rows } = await portal.deps.db.query.execute<Awaited<ReturnType<typeof makeInvoice>>>(sql`
      SELECT i.id AS "invoiceId", i.work_order_number::integer AS "workOrderNumber" FROM invoice i
       WHERE i.franchise_id = ${Number(franchiseId)} AND i.work_order_number = ${Number(sought.workOrderNumber)}`);
    await makePayment(portal.deps, { invoices: rows });
  });

  test.each(['8042 maple', 'maple 8042 street', 'maple 62704 8042'])(
    'finds by %j the invoice and the payment of the one at that number',
    async (search) => {
      for (const listed of ['invoices', 'payments']) {
        const path = `/${listed}?search=${encodeURIComponent(search)}`;
        const { items } = (await callOffice(portal, 'GET', path, { key: own })).json();
        expect(items, listed).toMatchObject([{ customer: { name: 'Zoë Zane' } }]);
      }
    },
  );

  test('has the invoices of all of them in its file', async () => {
    const file = await callOffice(portal, 'GET', '/invoices.csv?search=maple', { key: own });
    expect(parse(file.body, { bom: true, columns: true })).toHaveLength(61);
  });
});

describe('pages', () => {
  const MANY = 70_100;
  beforeAll(async () => {
    const rows = Array.from({ length: 120 }, (_, index) =>
      row({
        franchiseId: String(MANY + (index % 3)),
        workOrderNumber: String(5_000 + Math.floor(index / 2)),
        customerNumber: String(index + 1),
        locationId: String(index + 1),
        dueDate: day(index % 7),
      }),
    );
    // Some work order numbers exist in two of the three franchises.
    const once = new Map(rows.map((each) => [`${each.franchiseId} ${each.workOrderNumber}`, each]));
    expect((await importRows(portal, [...once.values()])).statusCode).toBe(200);
  });

  test.each(['', 'status=open'])('continue where the previous one ended, row by row: %s', async (filter) => {
    const all = await makeOfficeKey(portal, {});
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: OfficeInvoiceList = await list(`?${filter}${cursor ? `&cursor=${cursor}` : ''}`, all);
      expect(page.items.length).toBeLessThanOrEqual(50);
      seen.push(...page.items.map((each) => `${each.franchiseId}/${each.workOrderNumber}`));
      cursor = page.next;
    } while (cursor);
    const { rows } = await portal.deps.db.query.execute<{ count: number }>(sql`
      SELECT count(*)::integer AS count FROM invoice WHERE ${filter === '' ? sql`true` : sql`balance_cents > 0`}`);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(rows[0]?.count ?? 0);
  });

  test('of one filter do not fit another', async () => {
    const all = await makeOfficeKey(portal, {});
    const { next } = await list('', all);
    const answer = await callOffice(portal, 'GET', `/invoices?status=open&cursor=${next}`, { key: all });
    expect(answer.json().errors).toEqual([expect.objectContaining({ code: 'CursorUnknown' })]);
  });
});

describe('the file of a list', () => {
  test.each(['', '?status=open', '?search=clean', '?status=paid&from=2026-01-01'])(
    'has the rows of all its pages, in their order: %s',
    async (query) => {
      const all = await makeOfficeKey(portal, {});
      const pages: OfficeInvoiceList['items'] = [];
      let cursor: string | null = null;
      do {
        const page: OfficeInvoiceList = await list(
          `${query || '?'}${cursor ? `&cursor=${cursor}` : ''}`.replace('?&', '?'),
          all,
        );
        pages.push(...page.items);
        cursor = page.next;
      } while (cursor);
      const file = await callOffice(portal, 'GET', `/invoices.csv${query}`, { key: all });
      expect(file.statusCode, file.body).toBe(200);
      const rows = parse(file.body, { bom: true, columns: true }) as Record<string, string>[];
      expect(
        rows.map((each) => [each.franchise, each['work order'], Number(each.balance), each.status]),
      ).toEqual(
        pages.map((each) => [
          String(each.franchiseId),
          String(each.workOrderNumber),
          each.balance,
          each.status,
        ]),
      );
    },
  );

  test('and its pages have all rows of a search that names more than a page looks at', async () => {
    const franchiseId = String(nextNumber());
    const many = officeRow({ franchiseId, customerName: 'Widereach Homes', completedDate: '', dueDate: '' });
    const rows = Array.from({ length: 5_010 }, () => ({ ...many, workOrderNumber: String(nextNumber()) }));
    expect((await importRows(portal, rows)).statusCode).toBe(200);
    await indexWords(portal.deps);
    const own = await makeOfficeKey(portal, { franchiseId: Number(franchiseId) });
    const file = await callOffice(portal, 'GET', '/invoices.csv?search=widereach', { key: own });
    expect(parse(file.body, { bom: true, columns: true })).toHaveLength(rows.length);
    let found = 0;
    let cursor: string | null = null;
    do {
      const page: OfficeInvoiceList = await list(
        `?search=widereach${cursor ? `&cursor=${cursor}` : ''}`,
        own,
      );
      found += page.items.length;
      cursor = page.next;
    } while (cursor);
    expect(found).toBe(rows.length);
    // None of them has a day to say how far the page looked.
    expect(await list('?search=$9999', own)).toMatchObject({
      items: [],
      next: expect.any(String),
      searchedTo: null,
    });
  });

  test('has an office’s own payment with a card, whatever others were paid with the same digits since', async () => {
    const invoice = await makeInvoice(portal.deps.db.query);
    await makePayment(portal.deps, { invoices: [invoice], lastFour: '9417' });
    const own = await makeOfficeKey(portal, { franchiseId: invoice.franchiseId });
    const asReplica = (statement: SQL) =>
      portal.deps.db.transaction(async (tx) => {
        await tx.execute(sql`SET LOCAL session_replication_role = replica`);
        await tx.execute(statement);
      });
    await asReplica(sql`
      INSERT INTO payment_share (charge_id, franchise_id, intent_id, at, outcome, amount_cents, tip_cents,
                                 services_cents, brand, last_four)
      SELECT gen_random_uuid(), ${Number(OTHER)}, gen_random_uuid(), engine_now() + interval '1 day', 'accepted', 1, 0, 0,
             'Visa', '9417'
        FROM generate_series(1, 5001)`);
    const listed = await list('?search=9417', own);
    const file = await callOffice(portal, 'GET', '/invoices.csv?search=9417', { key: own });
    await asReplica(sql`DELETE FROM payment_share WHERE last_four = '9417' AND at > engine_now()`);
    expect(listed.items.map(({ workOrderNumber }) => workOrderNumber)).toEqual([invoice.workOrderNumber]);
    expect(parse(file.body, { bom: true, columns: true })).toHaveLength(1);
  });

  test('is one office’s own, named after it, and writes a row in the audit', async () => {
    const file = await callOffice(portal, 'GET', '/invoices.csv?status=overdue', { key });
    expect(file.headers['content-disposition']).toBe(
      'attachment; filename="invoices-7001-America-Chicago.csv"',
    );
    expect(parse(file.body, { bom: true, columns: true })).toEqual([
      expect.objectContaining({
        franchise: '7001',
        'work order': '1002',
        amount: '108.25',
        status: 'overdue',
      }),
    ]);
    const { rows } = await portal.deps.db.query.execute<{ detail: unknown }>(sql`
      SELECT detail FROM audit_event WHERE action = 'export-invoices' ORDER BY id DESC LIMIT 1`);
    expect(rows).toEqual([{ detail: { rows: 1, filters: { status: 'overdue' } } }]);
  });

  test('needs its right, and the same filters as the list', async () => {
    const views = await makeOfficeKey(portal, { franchiseId: Number(OWN), rights: ['view'] });
    expect((await callOffice(portal, 'GET', '/invoices.csv', { key: views })).statusCode).toBe(403);
    const cursor = await callOffice(portal, 'GET', '/invoices.csv?cursor=x', { key });
    expect(cursor.statusCode).toBe(400);
  });
});

describe('the page of an invoice', () => {
  test('shows its document, its place, its payments in the history, and its notes', async () => {
    const made = await makeInvoice(portal.deps.db.query, { paidElsewhereCents: 20_00 });
    expect((await payAsGuest(portal, await guestSale(emulator, made))).statusCode).toBe(200);
    const path = `/invoices/${made.franchiseId}/${made.workOrderNumber}`;
    const noted = await callOffice(portal, 'POST', `${path}/notes`, {
      body: { text: 'Asked to call back.' },
    });
    expect(noted.statusCode).toBe(201);

    const answer = await callOffice(portal, 'GET', path);
    expect(answer.statusCode, answer.body).toBe(200);
    const invoice = answer.json<OfficeInvoice>();
    expect(invoice).toMatchObject({
      paid: 88.25,
      paidElsewhere: 20,
      balance: 0,
      status: 'paid',
      taxRate: 0.0825,
      location: { description: 'Home', addressLine1: 'Maple Street 12', zipCode: '62704' },
      history: [
        {
          kind: 'import',
          by: 'office',
          changes: [{ field: 'paidElsewhere', before: 0, after: 20 }],
        },
        { kind: 'payment', by: 'payer', changes: [{ field: 'paid', before: 0, after: 88.25 }] },
      ],
      payments: [{ state: 'paid', amount: 88.25, workOrders: [made.workOrderNumber] }],
      notes: [{ noteId: noted.json().noteId, by: 'key:environment', text: 'Asked to call back.' }],
    });
    expect(invoice.qr.url).toContain(`workOrderNumber=${made.workOrderNumber}&zipCode=62704`);
    expect(invoice.qr.path).toMatch(/^M0 0h7v1h-7z/);
    expect(invoice.pdfLink).toMatch(/^\/api\/documents\/.+\.pdf\?/);
    expect((await portal.app.inject(invoice.pdfLink)).statusCode).toBe(200);
  });

  test('shows accepted payments also behind fifty declined ones, and says that others are left out', async () => {
    const made = await makeInvoice(portal.deps.db.query);
    const other = await makeInvoice(portal.deps.db.query);
    const pay = (at: string, state: 'captured' | 'refused') =>
      makePayment(portal.deps, { invoices: [made], at, state });
    const first = await pay('2026-11-01T18:00:00Z', 'refused');
    const paid = await pay('2026-11-01T18:01:00Z', 'captured');
    for (let second = 10; second < 60; second++) await pay(`2026-11-01T18:02:${second}Z`, 'refused');
    const read = async ({ franchiseId, workOrderNumber }: typeof made) =>
      (await callOffice(portal, 'GET', `/invoices/${franchiseId}/${workOrderNumber}`)).json<OfficeInvoice>();
    const { payments, hasMorePayments } = await read(made);
    expect(payments.map(({ state }) => state)).toEqual([...Array(50).fill('declined'), 'paid']);
    expect(payments.at(-1)?.paymentId).toBe(paid.paymentId);
    expect(payments.map(({ paymentId }) => paymentId)).not.toContain(first.paymentId);
    expect(hasMorePayments).toBe(true);
    expect(await read(other)).toMatchObject({ payments: [], hasMorePayments: false });
  });

  test('shows what each import changed, and what the office received only once', async () => {
    const sent = officeRow({ dueDate: '2026-11-30', amount: '108.25' });
    await importRows(portal, [sent]);
    await importRows(portal, [{ ...sent, dueDate: '2026-12-24', amount: '120.00', paidElsewhere: '20.00' }]);
    const path = `/invoices/${sent.franchiseId}/${sent.workOrderNumber}`;
    const { history } = (await callOffice(portal, 'GET', path)).json<OfficeInvoice>();
    expect(history).toEqual([
      {
        at: expect.any(String),
        kind: 'import',
        by: 'key:environment',
        importId: expect.any(String),
        changes: [
          { field: 'dueDate', before: '2026-11-30', after: '2026-12-24' },
          { field: 'amount', before: 108.25, after: 120 },
          { field: 'paidElsewhere', before: 0, after: 20 },
        ],
      },
    ]);
  });

  test('shows in its history that a refund was taken back', async () => {
    const payment = await makePayment(portal.deps, { at: '2026-01-10T18:00:00Z' });
    const undone = await refundAll(portal.deps, payment, { invoiceCents: 20_00 });
    await undoRefund(portal.deps, undone);
    const [{ franchiseId, workOrderNumber } = { franchiseId: 0, workOrderNumber: 0 }] = payment.invoices;
    const answer = await callOffice(portal, 'GET', `/invoices/${franchiseId}/${workOrderNumber}`);
    expect(answer.json<OfficeInvoice>().history.slice(1)).toMatchObject([
      { kind: 'refund', by: 'portal', changes: [{ before: 108.25, after: 88.25 }] },
      { kind: 'refund-undone', by: 'portal', changes: [{ before: 88.25, after: 108.25 }] },
    ]);
  });

  test('says what a refund credited, on the page, in its history and in the file of the list', async () => {
    const payment = await makePayment(portal.deps, { at: '2026-01-10T18:00:00Z' });
    const [invoice] = payment.invoices;
    const own = await makeOfficeKey(portal, { franchiseId: invoice?.franchiseId ?? 0 });
    const path = `/invoices/${invoice?.franchiseId}/${invoice?.workOrderNumber}`;
    const page = async () => (await callOffice(portal, 'GET', path, { key: own })).json<OfficeInvoice>();
    const refundId = await refundAll(portal.deps, payment, {
      invoiceCents: 18_48,
      taxCents: 1_52,
      effect: 'credited',
    });
    const credited = await page();
    expect(credited).toMatchObject({ amount: 88.25, credited: 20, paid: 88.25, balance: 0 });
    expect(credited.history.at(-1)).toMatchObject({
      kind: 'refund',
      changes: [
        { field: 'paid', before: 108.25, after: 88.25 },
        { field: 'credited', before: 0, after: 20 },
      ],
    });
    const file = await callOffice(portal, 'GET', '/invoices.csv', { key: own });
    expect(parse(file.body, { bom: true, columns: true })).toMatchObject([
      { amount: '88.25', credited: '20.00' },
    ]);

    // Once the office's own amount says so, nothing differs from its file.
    await portal.deps.db.query.execute(
      sql`UPDATE invoice SET amount_cents = 8825, tax_cents = 673 WHERE id = ${invoice?.invoiceId}`,
    );
    expect(await page()).toMatchObject({ amount: 88.25, credited: 0 });
    await undoRefund(portal.deps, refundId);
    expect((await page()).history.at(-1)).toMatchObject({
      kind: 'refund-undone',
      changes: [{ field: 'paid' }, { field: 'credited', before: 20, after: 0 }],
    });
  });

  test('is not found by another office, and neither are its notes', async () => {
    const path = `/invoices/${OTHER}/1001`;
    expect((await callOffice(portal, 'GET', path, { key })).statusCode).toBe(404);
    expect((await callOffice(portal, 'GET', `/invoices/${OTHER}/999`, { key })).statusCode).toBe(404);
    const noted = await callOffice(portal, 'POST', `${path}/notes`, { key, body: { text: 'Hello' } });
    expect(noted.statusCode).toBe(404);
  });

  test('a note is written once per key, and refuses a card number', async () => {
    const path = `/invoices/${OWN}/1001/notes`;
    const send = (text: string) =>
      callOffice(portal, 'POST', path, { key, body: { text }, headers: { 'idempotency-key': 'note-1' } });
    const first = await send('Once.');
    expect(first.statusCode).toBe(201);
    expect((await send('Once.')).json()).toEqual(first.json());
    expect((await send('Twice.')).statusCode).toBe(422);
    const card = await callOffice(portal, 'POST', path, { key, body: { text: 'It is 4000100011112224' } });
    expect(card.json().errors).toEqual([
      expect.objectContaining({ code: 'CardDataNotAllowed', field: 'text' }),
    ]);
    const { notes } = (
      await callOffice(portal, 'GET', `/invoices/${OWN}/1001`, { key })
    ).json<OfficeInvoice>();
    expect(notes.map(({ text }) => text)).toEqual(['Once.']);
  });

  test('a note reads nothing of the invoice’s customer and place', async () => {
    const { query } = portal.deps.db;
    await query.execute(sql.raw('ALTER TABLE customer RENAME TO customer_away'));
    try {
      const path = `/invoices/${OWN}/1001/notes`;
      const noted = await callOffice(portal, 'POST', path, { key, body: { text: 'Rang.' } });
      expect(noted.statusCode, noted.body).toBe(201);
    } finally {
      await query.execute(sql.raw('ALTER TABLE customer_away RENAME TO customer'));
    }
  });

  test('needs its rights', async () => {
    const exports = await makeOfficeKey(portal, { franchiseId: Number(OWN), rights: ['export'] });
    for (const path of ['/invoices', `/invoices/${OWN}/1001`]) {
      expect((await callOffice(portal, 'GET', path, { key: exports })).statusCode).toBe(403);
    }
    const views = await makeOfficeKey(portal, { franchiseId: Number(OWN), rights: ['view'] });
    const noted = await callOffice(portal, 'POST', `/invoices/${OWN}/1001/notes`, { key: views, body: {} });
    expect(noted.statusCode).toBe(403);
    expect((await call(portal, 'GET', '/office/invoices')).statusCode).toBe(401);
  });
});
