import type { PaymentList, PaymentRow, PaymentSummary } from '@brightpane/contract/office/payments';
import { parse } from 'csv-parse/sync';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { setEngineClock } from '../../../../test/books/engine-clock.ts';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { execute } from '../../../../test/database/make-database.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeOfficeCaller, type OfficeCall } from '../../../../test/factories/office-keys.ts';
import { makeCharge } from '../../../../test/factories/payments/charges.ts';
import { makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import { customer } from '../../../db/schema/franchises.ts';
import { indexWords } from '../search/index-words.ts';
import { askShares } from './ask-shares.ts';
import type { SharePlace } from './share-filters.ts';
import { type SharePage, selectShares } from './shares.queries.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;

/** The date at which it is noon in Chicago. */
const TODAY = '2026-11-15';

let headquarters: OfficeCall;
beforeAll(async () => {
  await setEngineClock(portal.deps, `${TODAY}T18:00:00Z`);
  headquarters = await makeOfficeCaller(portal);
});

/** An office with its own key and invoices. */
async function makeOffice(timeZone = 'America/Chicago') {
  const { franchiseId } = await makeInvoice(db(), { timeZone });
  const call = await makeOfficeCaller(portal, { franchiseId });
  return { franchiseId, call, invoice: () => makeInvoice(db(), { franchiseId, timeZone }) };
}

const query = (filters: Record<string, string | number>) =>
  new URLSearchParams(
    Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

async function list(call: OfficeCall, filters: Record<string, string | number> = {}) {
  const answer = await call('GET', `/payments?${query(filters)}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<PaymentList>();
}

async function summary(call: OfficeCall, filters: Record<string, string | number> = {}) {
  const answer = await call('GET', `/payments/summary?${query(filters)}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<PaymentSummary>();
}

async function allPages(call: OfficeCall, filters: Record<string, string | number> = {}) {
  const rows: PaymentRow[] = [];
  for (let next: string | null | undefined; next !== null; ) {
    const page: PaymentList = await list(call, { ...filters, ...(next !== undefined && { cursor: next }) });
    rows.push(...page.items);
    next = page.next;
  }
  return rows;
}

async function csv(call: OfficeCall, filters: Record<string, string | number> = {}) {
  const answer = await call('GET', `/payments.csv?${query(filters)}`);
  expect(answer.statusCode, answer.body).toBe(200);
  const rows = parse(answer.body, { columns: true, bom: true }) as Record<string, string>[];
  return { answer, rows };
}

const idsOf = ({ items }: { items: PaymentRow[] }) => items.map(({ paymentId }) => paymentId);

describe('a payment that two offices share', () => {
  test('shows each office its own share only: in list, totals, search and export', async () => {
    const [one, other] = [await makeOffice(), await makeOffice()];
    const [mine, theirs, theirs2] = [await one.invoice(), await other.invoice(), await other.invoice()];
    const { paymentId } = await makePayment(portal.deps, {
      invoices: [mine, theirs, theirs2],
      tipCents: 5_00,
      at: `${TODAY}T15:00:00Z`,
    });

    expect(await list(one.call)).toMatchObject({
      items: [
        {
          paymentId,
          franchiseId: one.franchiseId,
          amount: 113.25,
          tip: 5,
          workOrders: [mine.workOrderNumber],
          workOrderCount: 1,
          state: 'paid',
          method: { brand: 'Visa', lastFour: '2224' },
        },
      ],
    });
    expect(await list(other.call)).toMatchObject({ items: [{ amount: 226.5, workOrderCount: 2 }] });
    expect(await summary(one.call)).toEqual({
      count: 1,
      isMore: false,
      in: 113.25,
      back: 0,
      net: 113.25,
      tips: 5,
    });

    // Neither the other office's work order nor the total of both finds it.
    for (const search of [`#${theirs.workOrderNumber}`, '339.75', '226.50']) {
      expect(await list(one.call, { search }), search).toMatchObject({ items: [] });
    }
    for (const search of [`#${mine.workOrderNumber}`, '113.25', paymentId]) {
      expect(idsOf(await list(one.call, { search })), search).toEqual([paymentId]);
    }
    const { rows } = await csv(one.call);
    expect(rows).toMatchObject([
      { 'work order': String(mine.workOrderNumber), invoice: '100.00', net: '113.25' },
    ]);

    const all = await list(headquarters, { search: paymentId });
    expect(all.items.map(({ franchiseId }) => franchiseId)).toEqual([one.franchiseId, other.franchiseId]);
  });

  test('is not listed if somebody asks for another office’s', async () => {
    const [one, other] = [await makeOffice(), await makeOffice()];
    await makePayment(portal.deps, { invoices: [await other.invoice()] });
    expect(await list(one.call, { franchiseId: other.franchiseId })).toMatchObject({ items: [], next: null });
    expect(await summary(one.call, { franchiseId: other.franchiseId })).toMatchObject({ count: 0, in: 0 });
    const { answer, rows } = await csv(one.call, { franchiseId: other.franchiseId });
    expect(rows).toEqual([]);
    expect(answer.headers['content-disposition']).toContain(`"payments-${other.franchiseId}.csv"`);
  });
});

test('"2224 about $120 yesterday" finds the payment at the first try', async () => {
  const office = await makeOffice();
  const yesterday = new Date(Date.parse(`${TODAY}T18:00:00Z`) - 86_400_000).toISOString();
  const wanted = await makePayment(portal.deps, {
    invoices: [await office.invoice()],
    tipCents: 11_75,
    at: yesterday,
  });
  const others = [
    { at: yesterday, tipCents: 11_75, lastFour: '2225' },
    { at: `${TODAY}T18:00:00Z`, tipCents: 11_75 },
    { at: yesterday, tipCents: 50_00 },
  ];
  for (const other of others) {
    await makePayment(portal.deps, { invoices: [await office.invoice()], ...other });
  }
  const found = await list(office.call, { search: '2224 about $120 yesterday' });
  expect(idsOf(found)).toEqual([wanted.paymentId]);
  expect(found.readAs?.map(({ text }) => text)).toEqual([
    'work order 2224 or card ending 2224',
    'about $120.00',
    expect.stringMatching(/^\w{3} \d+, \d{4}$/),
  ]);
  // A caller who sees all offices gets it as the first row too.
  expect(idsOf(await list(headquarters, { search: '2224 about $120 yesterday' }))[0]).toBe(wanted.paymentId);
});

describe('the one search field', () => {
  test('finds a payment by everything that can be known about it', async () => {
    const office = await makeOffice();
    const invoice = await office.invoice();
    await db()
      .update(customer)
      .set({ name: 'Zoë Quillfeather', email: 'zoe.q@example.com' })
      .where(sql`id = ${invoice.customerId}`);
    await indexWords(portal.deps);
    const { paymentId, orderId } = await makePayment(portal.deps, {
      invoices: [invoice],
      brand: 'Discover',
      lastFour: '9417',
      tipCents: 3_33,
      payerEmail: 'Payer.of.This@Example.com',
      at: '2026-03-08T18:00:00Z',
    });
    const { rows } = await db().execute<{ reference: string }>(
      sql`SELECT reference FROM charge WHERE order_id = ${orderId}`,
    );
    for (const search of [
      'payer.of.this@example.com',
      'payer.of.this@',
      'PAYER.of.this@EXAMPLE.com',
      'zoe.q@example.com',
      'quillfeather',
      'zoe quill',
      'ZOË',
      '"zoe quillfeather"',
      String(invoice.workOrderNumber),
      `wo ${invoice.workOrderNumber}`,
      `#${invoice.workOrderNumber} quill`,
      '9417',
      'card ending 9417',
      `ref ${rows[0]?.reference}`,
      orderId,
      paymentId,
      '111.58 discover',
      '$111..112 discover',
      'discover 3/8/2026',
      'quill about $110 mar 8, 2026',
    ]) {
      expect(idsOf(await list(office.call, { search })), search).toEqual([paymentId]);
    }
    for (const search of ['nobody@example.com', 'quill zzz', 'visa quill', 'quill 3/9/2026', '%', "';--"]) {
      const found = idsOf(await list(office.call, { search }));
      expect(found.length <= 1, search).toBe(true);
    }
    expect(await list(office.call, { search: 'quill visa' })).toMatchObject({ items: [] });
  });

  test.each([
    ['yesterday today', 'Use one date.'],
    ['$120 about $100', 'Use one amount.'],
  ])('says under the field why %j is unclear', async (search, sentence) => {
    const answer = await headquarters('GET', `/payments?${query({ search })}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      errors: [{ code: 'SearchUnclear', field: 'search', description: sentence }],
    });
  });
});

test('a search that matches more customers than a list looks at has no totals, and a whole file', async () => {
  const office = await makeOffice();
  for (let count = 0; count < 51; count++) {
    const invoice = await office.invoice();
    await db()
      .update(customer)
      .set({ name: `Ottilie ${count}` })
      .where(sql`id = ${invoice.customerId}`);
    await makePayment(portal.deps, { invoices: [invoice] });
  }
  await indexWords(portal.deps);
  expect(await list(office.call, { search: 'ottilie' })).toMatchObject({ hasManyCustomers: true });
  expect(await summary(office.call, { search: 'ottilie' })).toEqual({
    count: null,
    isMore: false,
    in: null,
    back: null,
    net: null,
    tips: null,
  });
  expect((await csv(office.call, { search: 'ottilie' })).rows).toHaveLength(51);
});

describe('filters', () => {
  test('narrow down by state, method, amount and days, and the totals follow', async () => {
    const office = await makeOffice();
    const make = async (given: Parameters<typeof makePayment>[1]) =>
      (await makePayment(portal.deps, { invoices: [await office.invoice()], ...given })).paymentId;
    const paid = await make({ at: '2026-11-01T18:00:00Z' });
    const declined = await make({ at: '2026-11-02T18:00:00Z', state: 'refused' });
    const released = await make({ at: '2026-11-03T18:00:00Z', state: 'released', brand: 'American Express' });
    const failed = await make({ at: '2026-11-04T18:00:00Z', state: 'capture_failed', tipCents: 10_00 });
    const review = await make({ at: '2026-11-05T18:00:00Z', state: 'unresolved', brand: 'JCB' });
    const all = [review, failed, released, declined, paid];
    const cases: [Record<string, string>, string[]][] = [
      [{}, all],
      [{ order: 'oldest' }, all.toReversed()],
      [{ state: 'paid' }, [paid]],
      [{ state: 'declined' }, [declined]],
      [{ state: 'not-charged' }, [released]],
      [{ state: 'failed' }, [failed]],
      [{ state: 'review' }, [review]],
      [{ state: 'refunded' }, []],
      [{ method: 'visa' }, [failed, declined, paid]],
      [{ method: 'amex' }, [released]],
      [{ method: 'other' }, [review]],
      [{ minAmount: '110' }, [failed]],
      [{ maxAmount: '$108.25' }, [review, released, declined, paid]],
      [{ minAmount: '108.25', maxAmount: '108.25' }, [review, released, declined, paid]],
      [{ from: '2026-11-03' }, [review, failed, released]],
      [{ to: '2026-11-02' }, [declined, paid]],
      [{ from: '2026-11-02', to: '2026-11-04', state: 'failed' }, [failed]],
    ];
    for (const [filters, expected] of cases) {
      expect(idsOf(await list(office.call, filters)), JSON.stringify(filters)).toEqual(expected);
      expect(await summary(office.call, filters), JSON.stringify(filters)).toMatchObject({
        count: expected.length,
      });
      const { rows } = await csv(office.call, filters);
      expect(
        rows.map(({ payment }) => payment),
        JSON.stringify(filters),
      ).toEqual(expected);
      await forgetExports();
    }
    expect(await summary(office.call)).toEqual({
      count: 5,
      isMore: false,
      in: 226.5,
      back: 118.25,
      net: 108.25,
      tips: 10,
    });
  });

  test.each([
    [{ from: '11/3/2026' }, 'from', 'Please enter a date such as 2026-11-30.'],
    [{ to: '2026-02-30' }, 'to', 'Please enter a date such as 2026-11-30.'],
    [{ from: '' }, 'from', 'Please enter a date such as 2026-11-30.'],
    [{ minAmount: 'lots' }, 'minAmount', 'Please enter dollars such as 120.00.'],
    [{ maxAmount: '1.234' }, 'maxAmount', 'Please enter dollars such as 120.00.'],
    [{ minAmount: '-1' }, 'minAmount', 'Please enter dollars such as 120.00.'],
    [{ from: '2026-11-04', to: '2026-11-03' }, 'from', 'From must not be after To.'],
    [{ from: '2020-01-01', to: '2026-11-03' }, 'from', 'Please choose five years or less.'],
    [{ state: 'gone' }, 'state', 'Please choose a state from the list.'],
    [{ method: 'cash' }, 'method', 'Please choose a method from the list.'],
    [{ order: 'random' }, 'order', 'Please choose newest or oldest.'],
    [{ franchiseId: 'x' }, 'franchiseId', 'Please choose a franchise.'],
    [{ search: 'a\u0000b' }, 'search', 'Please check your search.'],
    [{ search: 'x'.repeat(10_001) }, 'search', 'Use at most 100 characters.'],
    [{ search: 'x'.repeat(101) }, 'search', 'Use at most 100 characters.'],
    [{ search: '4000 0000 0000 0002' }, 'search', 'Please take the card number out of your search.'],
    [{ unknown: '1' }, 'unknown', 'This field is not known.'],
    [{ cursor: 'abc' }, 'cursor', 'This page does not belong to the list any more. Load the list again.'],
  ])('%j is refused under its field', async (filters, field, description) => {
    const answer = await headquarters('GET', `/payments?${query(filters)}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ field, description }] });
    if (field !== 'cursor') {
      expect((await headquarters('GET', `/payments/summary?${query(filters)}`)).statusCode).toBe(400);
      expect((await headquarters('GET', `/payments.csv?${query(filters)}`)).statusCode).toBe(400);
    }
  });
});

describe('days', () => {
  test.each([
    // Clocks go back at two on the first of these Sundays, which has 25 hours, and forward on the second, which has 23.
    ['2026-11-01', '2026-11-01T05:00:00Z', '2026-11-02T05:59:59.999Z', '2026-11-02T06:00:00Z'],
    ['2026-03-08', '2026-03-08T06:00:00Z', '2026-03-09T04:59:59.999Z', '2026-03-09T05:00:00Z'],
  ])('%s in Chicago begins and ends at its midnights', async (day, first, last, after) => {
    const office = await makeOffice();
    const at = async (instant: string) =>
      (await makePayment(portal.deps, { invoices: [await office.invoice()], at: instant })).paymentId;
    const before = new Date(Date.parse(first) - 1).toISOString();
    const [, begins, ends] = [await at(before), await at(first), await at(last), await at(after)];
    const found = await list(office.call, { from: day, to: day });
    expect(idsOf(found)).toEqual([ends, begins]);
    expect(found.items.map((row) => row.day)).toEqual([day, day]);
    expect(await summary(office.call, { from: day, to: day })).toMatchObject({ count: 2 });
  });

  test('are each office’s own if offices in several time zones are listed', async () => {
    const [chicago, honolulu] = [await makeOffice(), await makeOffice('Pacific/Honolulu')];
    // 00:30 in Chicago, the evening before in Honolulu.
    const at = '2025-06-10T05:30:00Z';
    const early = await makePayment(portal.deps, { invoices: [await chicago.invoice()], at });
    const late = await makePayment(portal.deps, { invoices: [await honolulu.invoice()], at });
    const on = async (day: string) => idsOf(await list(headquarters, { from: day, to: day }));
    expect(await on('2025-06-10')).toEqual([early.paymentId]);
    expect(await on('2025-06-09')).toEqual([late.paymentId]);
    expect(idsOf(await list(headquarters, { search: '6/9/2025' }))).toEqual([late.paymentId]);
  });
});

describe('pages', () => {
  test('follow each other without gaps, even for payments of one instant, and the export has them all', async () => {
    const office = await makeOffice();
    for (let count = 0; count < 120; count++) {
      const at = new Date(Date.parse('2026-10-01T12:00:00Z') + Math.floor(count / 30) * 60_000).toISOString();
      await makePayment(portal.deps, { invoices: [await office.invoice()], at, tipCents: count });
    }
    for (const order of ['newest', 'oldest']) {
      const rows = await allPages(office.call, { order });
      expect(new Set(rows.map(({ paymentId }) => paymentId)).size).toBe(120);
      const times = rows.map(({ at }) => at);
      expect(order === 'oldest' ? times : times.toReversed()).toEqual(times.toSorted());
      const exported = await csv(office.call, { order });
      expect(exported.rows.map(({ payment }) => payment)).toEqual(rows.map(({ paymentId }) => paymentId));
      await forgetExports();
    }
    const ofAll = await allPages(headquarters, { from: '2026-10-01', to: '2026-10-01' });
    expect(ofAll).toHaveLength(120);

    const { next } = await list(office.call);
    const elsewhere = await office.call('GET', `/payments?${query({ state: 'paid', cursor: next ?? '' })}`);
    expect(elsewhere.json()).toMatchObject({ errors: [{ code: 'CursorUnknown', field: 'cursor' }] });
  });

  test('end once enough rows were looked at, and say how far that was', async () => {
    const office = await makeOffice();
    await fillShares(office, { count: 5_200 });
    const wanted = await makePayment(portal.deps, {
      invoices: [await office.invoice()],
      at: '2020-01-02T18:00:00Z',
      brand: 'Discover',
    });
    const first = await list(office.call, { method: 'discover' });
    expect(first).toMatchObject({ items: [], searchedTo: expect.stringMatching(/^20\d\d-/) });
    const second = await list(office.call, { method: 'discover', cursor: first.next ?? '' });
    expect(idsOf(second)).toEqual([wanted.paymentId]);
    expect(second.next).toBeNull();
    expect(second.searchedTo).toBeUndefined();
    // Too many rows aren't summed, and the count isn't overstated.
    expect(await summary(office.call, { method: 'discover' })).toMatchObject({ count: 1 });
    await fillShares(office, { count: 5_000 });
    expect(await summary(office.call)).toEqual({
      count: null,
      isMore: true,
      in: null,
      back: null,
      net: null,
      tips: null,
    });
    expect(await summary(office.call, { method: 'discover' })).toMatchObject({ count: null, isMore: false });
  });

  test.each([
    ['newest', '2020-01-02T18:00:00Z'],
    ['oldest', '2026-01-02T18:00:00Z'],
  ])('tell nobody whose payment the %s looked at was', async (order, at) => {
    const lastFour = order === 'newest' ? '7310' : '7311';
    const [office, other] = [await makeOffice(), await makeOffice()];
    await fillShares(other, { count: 5_200, lastFour });
    const invoices = [await office.invoice()];
    const wanted = await makePayment(portal.deps, { invoices, at, lastFour });
    const asked = { search: `card ${lastFour}`, order };
    const first = await list(office.call, asked);
    expect(first).toMatchObject({ items: [], searchedTo: expect.stringMatching(/^202[34]-/) });
    const [, , chargeId, franchiseId] = JSON.parse(Buffer.from(first.next ?? '', 'base64url').toString());
    expect(franchiseId).not.toBe(other.franchiseId);
    const { rows } = await db().execute(sql`SELECT FROM charge WHERE id = ${chargeId}`);
    expect(rows).toEqual([]);
    expect(idsOf(await list(office.call, { ...asked, cursor: first.next ?? '' }))).toEqual([
      wanted.paymentId,
    ]);
  });

  test('go on among payments of other offices at one instant', async () => {
    const [office, other] = [await makeOffice(), await makeOffice()];
    const at = '2026-10-02T12:00:00Z';
    for (let count = 0; count < 3; count++)
      await makePayment(portal.deps, { invoices: [await other.invoice()], at, lastFour: '7312' });
    const own = await makePayment(portal.deps, { invoices: [await office.invoice()], at, lastFour: '7312' });
    const { rows: keys } = await db().execute<{ id: string }>(sql`
      SELECT actor_id AS id FROM visible_franchise v JOIN office_api_key k ON k.id = v.actor_id
       WHERE v.franchise_id = ${office.franchiseId} AND k.franchise_id = v.franchise_id`);
    const caller = { id: keys[0]?.id ?? '', isForAll: false };
    const asked = await askShares(portal.deps, { caller, asked: { search: 'card 7312' } });
    if (!asked.ok) throw new Error(asked.sentence);
    const found = new Set<string>();
    let after: SharePlace | null = null;
    for (let pages = 0; pages < 6; pages++) {
      const page: SharePage = await selectShares(db(), asked.value.filters, { after, limit: 51, most: 2 });
      for (const { paymentId } of page.rows) found.add(paymentId);
      after = page.bound;
      if (after === null) break;
    }
    expect([after, ...found]).toEqual([null, own.paymentId]);
  });
});

test('a payment in progress is counted, but has no row', async () => {
  const { invoiceId } = await makeCharge(portal.deps, { state: 'authorising' });
  const { rows } = await db().execute<{ franchiseId: number }>(
    sql`SELECT franchise_id AS "franchiseId" FROM invoice WHERE id = ${invoiceId}`,
  );
  const call = await makeOfficeCaller(portal, { franchiseId: rows[0]?.franchiseId ?? 0 });
  expect(await list(call)).toMatchObject({ items: [], underWay: 1 });
  expect(await list((await makeOffice()).call)).toMatchObject({ underWay: 0 });
});

describe('an export', () => {
  test('has one row per work order, whose columns sum to what the screen shows, and describes itself', async () => {
    const office = await makeOffice();
    const { paymentId } = await makePayment(portal.deps, {
      invoices: [await office.invoice(), await office.invoice()],
      tipCents: 5_00,
      servicesCents: -10_00,
      note: '=HYPERLINK("evil")',
      payerEmail: '+ana@example.com',
      at: '2026-11-10T18:00:00Z',
    });
    await makePayment(portal.deps, {
      invoices: [await office.invoice()],
      state: 'refused',
      at: '2026-11-11T18:00:00Z',
    });
    const { answer, rows } = await csv(office.call, { from: '2026-11-01', to: '2026-11-30' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="payments-${office.franchiseId}-2026-11-01-to-2026-11-30-America-Chicago.csv"`,
      'cache-control': 'no-store',
    });
    expect(answer.body).toMatch(/^\ufefftime,day,zone,franchise,payment,order id,.*\r\n/);
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatchObject({
      time: '2026-11-10T12:00:00-06:00',
      day: '2026-11-10',
      zone: 'America/Chicago',
      payment: paymentId,
      services: '-10.00',
      'services tax': '-0.83',
      net: '102.42',
      note: `'=HYPERLINK("evil")`,
      'payer email': `'+ana@example.com`,
    });
    const sums = await summary(office.call, { from: '2026-11-01', to: '2026-11-30' });
    const sumOf = (...columns: string[]) =>
      rows
        .flatMap((row) => columns.map((column) => Math.round(Number(row[column]) * 100)))
        .reduce((sum, each) => sum + each, 0) / 100;
    expect(sumOf('net')).toBe(sums.net);
    expect(sumOf('invoice', 'tax', 'services', 'services tax', 'tip')).toBe(sums.in);
    expect(sumOf('tip')).toBe(sums.tips);

    const { rows: audit } = await db().execute<{ detail: unknown }>(sql`
      SELECT detail FROM audit_event WHERE action = 'export-payments' ORDER BY id DESC LIMIT 1`);
    expect(audit[0]?.detail).toMatchObject({ rows: 3, filters: { from: '2026-11-01', to: '2026-11-30' } });
  });

  test('adds up to the totals if a payment of several work orders wasn’t collected', async () => {
    const office = await makeOffice();
    const invoices = [await office.invoice(), await office.invoice()];
    const at = '2026-11-10T18:00:00Z';
    await makePayment(portal.deps, { invoices, state: 'capture_failed', tipCents: 5_00, at });
    await makePayment(portal.deps, { invoices: [await office.invoice()], state: 'captured', at });
    const { rows } = await csv(office.call, {});
    const sums = await summary(office.call, {});
    const sumOf = (column: string) =>
      rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0) / 100;
    expect(sums).toMatchObject({ in: 334.75, back: 226.5, net: 108.25 });
    expect({ back: sumOf('refunded'), net: sumOf('net') }).toEqual({ back: sums.back, net: sums.net });
    expect(rows.filter(({ state }) => state === 'failed')).toMatchObject([
      { refunded: '113.25', net: '0.00' },
      { refunded: '113.25', net: '0.00' },
    ]);
  });

  test('needs its own right, and is limited to ten an hour', async () => {
    const { franchiseId } = await makeInvoice(db());
    const viewer = await makeOfficeCaller(portal, { franchiseId, rights: ['view'] });
    expect((await viewer('GET', '/payments.csv')).statusCode).toBe(403);
    const call = await makeOfficeCaller(portal, { franchiseId });
    for (let count = 0; count < 10; count++)
      expect((await call('GET', '/payments.csv')).statusCode).toBe(200);
    const eleventh = await call('GET', '/payments.csv');
    expect(eleventh.statusCode).toBe(429);
    expect(Number(eleventh.headers['retry-after'])).toBeGreaterThan(3_000);
  });
});

test('the totals of any days are what the ledger debited to cards in them', async () => {
  const offices = [
    await makeOffice(),
    await makeOffice('America/New_York'),
    await makeOffice('Pacific/Honolulu'),
  ];
  const states = ['captured', 'captured', 'capture_failed', 'refused', 'released'] as const;
  let seed = 7;
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let count = 0; count < 60; count++) {
    const among = [offices[draw(3)], offices[draw(3)]];
    const invoices = [];
    for (const office of among.slice(0, 1 + draw(2))) if (office) invoices.push(await office.invoice());
    await makePayment(portal.deps, {
      invoices,
      state: states[draw(5)] ?? 'captured',
      tipCents: draw(3) * 250,
      servicesCents: (draw(5) - 2) * 333,
      at: new Date(Date.parse('2026-10-30T00:00:00Z') + draw(5 * 24 * 60) * 60_000).toISOString(),
    });
  }
  for (const { call, franchiseId } of offices) {
    for (const [from, to] of [
      ['2026-10-30', '2026-10-30'],
      ['2026-10-31', '2026-11-01'],
      ['2026-11-01', '2026-11-01'],
      ['2026-10-29', '2026-11-05'],
    ] as const) {
      const { rows } = await db().execute<{ in: number }>(sql`
        SELECT coalesce(sum(e.amount_cents), 0)::bigint AS in FROM ledger_entry e JOIN franchise f ON f.id = e.franchise_id
         WHERE e.franchise_id = ${franchiseId} AND e.account = 'card' AND e.direction = 'debit' AND e.reason = 'payment'
           AND e.created_at >= ${from}::timestamp AT TIME ZONE f.time_zone
           AND e.created_at < (${to}::date + 1)::timestamp AT TIME ZONE f.time_zone`);
      const sums = await summary(call, { from, to });
      expect(Math.round((sums.in ?? 0) * 100), `${franchiseId} ${from} ${to}`).toBe(rows[0]?.in);
    }
  }
});

/** Many refused payments of one invoice, with their shares. Inserted in bulk, as firing a trigger for each is slow. */
async function fillShares(
  office: Awaited<ReturnType<typeof makeOffice>>,
  { count, lastFour = '1111' }: { count: number; lastFour?: string },
) {
  const { invoiceId } = await office.invoice();
  await execute(
    portal.deps.env.DATABASE_URL,
    `SET session_replication_role = replica;
     CREATE TEMPORARY TABLE made AS
     SELECT gen_random_uuid() AS intent_id, gen_random_uuid() AS charge_id,
            timestamptz '2024-01-01' + n * interval '1 minute' AS at
       FROM generate_series(1, ${count}) AS n;
     INSERT INTO payment_intent (id, kind, idem_scope, idem_key, request_hash, state, deadline_at, created_at, decided_at)
     SELECT intent_id, 'guest', 'test', intent_id, 'none', 'declined', at, at, at FROM made;
     INSERT INTO charge (id, intent_id, merchant_account_id, amount_cents, order_id, state, masked_card, created_at)
     SELECT charge_id, intent_id, (SELECT min(id) FROM merchant_account), 10825, 'fill-' || left(charge_id::text, 20),
            'refused', 'xxxx${lastFour}', at FROM made;
     INSERT INTO charge_allocation (charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                                    services_tax_cents, tip_cents, priced_version)
     SELECT charge_id, ${invoiceId}, 10000, 825, 0, 0, 0, 1 FROM made;
     ANALYZE payment_intent, charge, charge_allocation;
     SELECT share_payments((SELECT array_agg(intent_id) FROM made))`,
  );
}

/** Lets a test export more often than a person may. */
const forgetExports = () => db().execute(sql`DELETE FROM limit_counter`);
