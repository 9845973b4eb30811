import type { Payments } from '@brightpane/contract/invoices/payment-history';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { setEngineClock } from '../../../../test/books/engine-clock.ts';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice, receiveElsewhere } from '../../../../test/factories/invoices.ts';
import { makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import { sumDollars, usePaymentHistory } from '../../../../test/factories/payments/payment-history.ts';
import { linkLocation, signInUser } from '../../../../test/factories/users.ts';
import { importRows, officeRow } from '../../../../test/office/office.ts';
import { allowTime } from '../../../db/allow-time.ts';
import { franchise, invoice, location } from '../../../db/schema/franchises.ts';
import { adoptedPayment } from '../../../db/schema/payments.ts';
import { bookPaidElsewhere } from '../../office/import/paid-elsewhere.queries.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;
const pay = (given: Parameters<typeof makePayment>[1] = {}) => makePayment(portal.deps, given);

const { get, listOf, statementOf, paymentOf, open, fileOf, household, join } = usePaymentHistory(portal);

describe('GET /user/payments', () => {
  test('shows the account’s own payment with its card, reference and note', async () => {
    const user = await household();
    const { paymentId } = await pay({
      userId: user.userId,
      invoices: [user.first],
      tipCents: 5_00,
      servicesCents: 10_00,
      note: 'Two more panes',
    });
    const { items, next, years } = await listOf(user);
    expect({ next, years }).toEqual({ next: null, years: [2026] });
    expect(items).toEqual([
      {
        paymentId,
        paidAt: '2026-11-15T12:00:00-06:00',
        amount: 124.08,
        refundedAmount: 0,
        state: 'paid',
        by: 'you',
        how: 'card',
        card: 'Visa xxxx2224',
        references: [expect.stringMatching(/^\d+$/)],
        receiptLink: expect.stringContaining(`/api/documents/receipt-${paymentId}.pdf?expires=`),
        refunds: [],
        lines: [
          {
            franchiseId: user.franchiseId,
            franchiseName: `Franchise ${user.franchiseId}`,
            workOrderNumber: user.workOrderNumber,
            locationId: user.locationId,
            description: 'Home',
            addressLine1: 'Maple Street 12',
            city: 'Springfield',
            state: 'IL',
            service: 'Windows, inside and out',
            invoiceAmount: 100,
            salesTax: 8.25,
            services: 10,
            servicesTax: 0.83,
            tip: 5,
            total: 124.08,
            refunded: 0,
            note: 'Two more panes',
            reference: expect.stringMatching(/^\d+$/),
            pdfLink: expect.stringContaining('.pdf?expires='),
          },
        ],
      },
    ]);
    expect(await paymentOf(user, { paymentId })).toEqual(items[0]);
  });

  test('shows two people at one location each other’s payments without card, reference and note', async () => {
    const ana = await household();
    const ben = await join(ana.locationId);
    const hers = await pay({ userId: ana.userId, invoices: [ana.first], note: 'Key under the mat' });
    const his = await pay({ userId: ben.userId, invoices: [await ana.another()], note: 'Ring twice' });
    for (const [user, own, other] of [[ana, hers, his] as const, [ben, his, hers] as const]) {
      expect(await paymentOf(user, own)).toMatchObject({ by: 'you', card: 'Visa xxxx2224' });
      expect(await paymentOf(user, other)).toMatchObject({
        by: 'someone-else',
        how: 'card',
        amount: 108.25,
        card: null,
        references: [],
        receiptLink: null,
        lines: [{ note: null, reference: null, description: 'Home' }],
      });
      const [row] = (await statementOf(user)).rows.filter(({ by }) => by === 'someone-else');
      expect(row).toMatchObject({ paymentId: other.paymentId, reference: null, note: null });
    }
  });

  test('shows everybody their part of a payment over visible and hidden locations', async () => {
    const ana = await household();
    const gone = await makeInvoice(db());
    const shared = await pay({ userId: ana.userId, invoices: [ana.first, gone] });
    const ben = await join(ana.locationId);
    const hers = await paymentOf(ana, shared);
    expect(hers).toMatchObject({ amount: 216.5, by: 'you' });
    expect(hers.lines.find((line) => line.workOrderNumber === gone.workOrderNumber)).toMatchObject({
      locationId: null,
      description: null,
      addressLine1: null,
      city: null,
      state: null,
    });
    expect(await paymentOf(ben, shared)).toMatchObject({
      by: 'someone-else',
      amount: 108.25,
      lines: [{ workOrderNumber: ana.workOrderNumber }],
    });
    const [only] = (await listOf(ana, `?year=2026&locationId=${ana.locationId}`)).items;
    expect(only).toMatchObject({ amount: 108.25, lines: [{ locationId: ana.locationId }] });
  });

  test('links no document of an invoice that an import moved to somebody else’s location', async () => {
    const ana = await household();
    const own = await pay({ userId: ana.userId, invoices: [ana.first] });
    const moved = officeRow({
      franchiseId: String(ana.franchiseId),
      workOrderNumber: String(ana.workOrderNumber),
      addressLine1: 'Elm Street 3',
    });
    expect((await importRows(portal, [moved])).json()).toMatchObject({ updated: 1 });
    const payment = await paymentOf(ana, own);
    expect(payment).toMatchObject({ lines: [{ addressLine1: null, pdfLink: null }] });
    expect((await statementOf(ana)).rows).toMatchObject([{ addressLine1: null, pdfLink: null }]);
    expect((await open(payment.receiptLink ?? '')).statusCode).toBe(200);
  });

  test('keeps a payment listed whose location was removed; those of others go', async () => {
    const ana = await household();
    const ben = await join(ana.locationId);
    const own = await pay({ userId: ana.userId, invoices: [ana.first] });
    await pay({ userId: ben.userId, invoices: [await ana.another()] });
    await call(portal, 'DELETE', `/user/location/${ana.locationId}`, ana);
    expect((await listOf(ana)).items).toMatchObject([
      { paymentId: own.paymentId, lines: [{ locationId: null }] },
    ]);
  });

  test('lists money that the office received, and its correction as negative', async () => {
    const user = await household();
    await receiveElsewhere(db(), { ...user.first, receivedCents: 50_00 });
    await receiveElsewhere(db(), { ...user.first, receivedCents: -20_00 });
    const { items } = await listOf(user, '');
    expect(items).toMatchObject([
      { by: 'office', how: 'office', amount: -20, card: null, references: [], receiptLink: null },
      { by: 'office', how: 'office', amount: 50, lines: [{ invoiceAmount: 50, total: 50, note: null }] },
    ]);
    const [{ paymentId } = { paymentId: '' }] = items;
    expect(paymentId).toMatch(/^office-\d+$/);
    expect(await paymentOf(user, { paymentId })).toEqual(items[0]);
    expect((await get(await signInUser(portal), `/payments/${paymentId}`)).statusCode).toBe(404);
  });

  test('shows a guest’s payment at the location, and as the account’s own once it was adopted', async () => {
    const user = await household();
    const { paymentId } = await pay({ invoices: [user.first], payerEmail: user.email });
    expect(await paymentOf(user, { paymentId })).toMatchObject({
      by: 'someone-else',
      how: 'guest',
      card: null,
    });
    await db()
      .insert(adoptedPayment)
      .values({ intentId: paymentId, userId: user.userId, adoptedAt: portal.now, through: 'signed-in' });
    expect((await listOf(user)).items).toMatchObject([
      { paymentId, by: 'you', how: 'guest', card: 'Visa xxxx2224', receiptLink: expect.any(String) },
    ]);
  });

  test('does not assign a guest’s payment by an equal email address', async () => {
    const user = await signInUser(portal);
    const { paymentId } = await pay({ payerEmail: user.email });
    expect((await listOf(user)).items).toEqual([]);
    expect((await get(user, `/payments/${paymentId}`)).statusCode).toBe(404);
  });

  test('shows a payment that could not be collected to its own payer only, and leaves it out of sums', async () => {
    const ana = await household();
    const ben = await join(ana.locationId);
    const failed = await pay({ userId: ana.userId, invoices: [ana.first], state: 'capture_failed' });
    expect((await listOf(ana)).items).toMatchObject([
      { paymentId: failed.paymentId, state: 'not-collected', amount: 108.25, receiptLink: null },
    ]);
    expect((await get(ben, `/payments/${failed.paymentId}`)).statusCode).toBe(404);
    expect(await statementOf(ana)).toMatchObject({ rows: [], count: 0, paidByYou: 0, franchises: [] });
    expect(await fileOf(ana)).toEqual([]);
  });

  test('leaves out declined and abandoned payments', async () => {
    const user = await household();
    await pay({ userId: user.userId, invoices: [user.first], state: 'refused' });
    await pay({ userId: user.userId, invoices: [user.first], state: 'released' });
    expect((await listOf(user)).items).toEqual([]);
  });

  test('hides the former customer’s payments from the next one', async () => {
    const ana = await household();
    const { paymentId } = await pay({ userId: ana.userId, invoices: [ana.first] });
    const next = await makeInvoice(db(), { franchiseId: ana.franchiseId });
    const { customerId, locationId } = ana;
    await db().update(location).set({ customerId: next.customerId }).where(eq(location.id, locationId));
    await db().update(invoice).set({ formerCustomerId: customerId }).where(eq(invoice.id, ana.invoiceId));
    const ben = await signInUser(portal);
    await db().execute(sql`
      INSERT INTO user_location (user_id, location_id, customer_id, linked_at)
      VALUES (${ben.userId}, ${locationId}, ${next.customerId}, now())`);
    expect((await listOf(ben)).items).toEqual([]);
    expect(await paymentOf(ana, { paymentId })).toMatchObject({ lines: [{ locationId: null, city: null }] });
  });

  test('lists 120 payments on three pages, each once, while others arrive', async () => {
    const user = await household();
    const { userId } = user;
    const made: string[] = [];
    for (let index = 0; index < 120; index++) {
      // Ten share each instant, so that ids decide their order.
      const at = new Date(Date.UTC(2026, 2, 1, 12, Math.floor(index / 10))).toISOString();
      made.push((await pay({ userId, invoices: [await user.another()], at })).paymentId);
    }
    const listed: string[] = [];
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const page: Payments = await listOf(user, `?year=2026${cursor && `&cursor=${cursor}`}`);
      listed.push(...page.items.map(({ paymentId }) => paymentId));
      await pay({ userId, invoices: [await user.another()], at: `2026-06-0${++pages}T12:00:00Z` });
      cursor = page.next;
    }
    expect(pages).toBe(3);
    expect(listed.toSorted()).toEqual(made.toSorted());
  });

  test('shows the current year by default', async () => {
    const user = await household();
    await receiveElsewhere(db(), { ...user.first, receivedCents: 1_00 });
    expect((await listOf(user, '')).items).toMatchObject([{ amount: 1 }]);
    await pay({ userId: user.userId, invoices: [await user.another()], at: '2019-05-05T12:00:00Z' });
    const { items, years } = await listOf(user, '');
    expect(items).toHaveLength(1);
    expect(years.at(-1)).toBe(2019);
  });

  test('lists the years of the requested location', async () => {
    const user = await household();
    const { userId, locationId } = user;
    const elsewhere = await makeInvoice(db());
    await pay({ userId, invoices: [user.first] });
    await pay({ userId, invoices: [elsewhere], at: '2019-05-05T12:00:00Z' });
    await pay({ invoices: [await user.another()], at: '2021-05-05T12:00:00Z' });
    expect((await listOf(user)).years).toEqual([2026, 2021, 2019]);
    const there = await listOf(user, `?year=2026&locationId=${locationId}`);
    expect(there.years).toEqual([2026, 2021]);
    expect(there.items).toHaveLength(1);
    expect((await listOf(user, '?year=2020')).items).toEqual([]);
    expect((await listOf(user, '?year=2019')).items).toMatchObject([{ lines: [{ locationId: null }] }]);
  });

  test.each([
    ['/payments?year=26', 400],
    ['/payments?year=2026.5', 400],
    ['/payments?year=2026&year=2027', 400],
    ['/payments?locationId=x', 400],
    ['/payments?year=2026&cursor=x', 400],
    ['/payments?unknown=1', 400],
    ['/payments?year=2026&locationId=999999999', 404],
    ['/payments/none', 400],
    ['/payments/office-x', 400],
    ['/payments/office-999999999', 404],
    ['/payments/00000000-0000-4000-8000-000000000000', 404],
    ['/statements', 400],
    ['/statements?year=x', 400],
    ['/statements?year=2026&locationId=999999999', 404],
  ])('%s is answered %i', async (path, status) => {
    expect((await get(await signInUser(portal), path)).statusCode).toBe(status);
  });

  test('rejects somebody else’s location, and another list’s cursor', async () => {
    const [ana, ben] = [await household(), await household()];
    expect((await get(ana, `/payments?year=2026&locationId=${ben.locationId}`)).json()).toMatchObject({
      status: 404,
      detail: 'Location not found',
    });
    for (let index = 0; index < 51; index++) await pay({ userId: ana.userId });
    const { next } = await listOf(ana);
    expect((await get(ana, `/payments?year=2025&cursor=${next}`)).statusCode).toBe(400);
  });
});

describe('the edge of the year', () => {
  test.each([
    ['America/New_York', '05:00:00'],
    ['America/Chicago', '06:00:00'],
    ['America/Los_Angeles', '08:00:00'],
    ['Pacific/Honolulu', '10:00:00'],
  ])('is midnight in %s', async (timeZone, midnight) => {
    const user = await household({ timeZone });
    const after = new Date(`2027-01-01T${midnight}Z`);
    const before = new Date(after.getTime() - 1000);
    const { userId } = user;
    await pay({ userId, invoices: [user.first], at: before.toISOString() });
    await pay({ userId, invoices: [await user.another()], at: after.toISOString() });
    for (const [year, start] of [
      [2026, '2026-12-31T23:59:59'],
      [2027, '2027-01-01T00:00:00'],
    ] as const) {
      const query = `?year=${year}`;
      const { items, years } = await listOf(user, query);
      expect(years).toEqual([2027, 2026]);
      expect(items.map(({ paidAt }) => paidAt.slice(0, 19))).toEqual([start]);
      const { rows, count } = await statementOf(user, query);
      expect({ count, paidAt: rows[0]?.paidAt }).toEqual({ count: 1, paidAt: items[0]?.paidAt });
      expect((await fileOf(user, query)).map(({ date }) => date)).toEqual([start.slice(0, 10)]);
    }
  });

  test.each([
    ['is still 2026 in Chicago, and 2027 in UTC', '2027-01-01T03:00:00Z', 'America/Chicago', [2026]],
    ['is 2027 in Chicago, and in UTC', '2027-01-01T07:00:00Z', 'America/Chicago', []],
    ['is still 2026 in Auckland, and in UTC', '2026-12-31T10:00:00Z', 'Pacific/Auckland', [2026]],
    ['is 2027 in Auckland, and still 2026 in UTC', '2026-12-31T12:00:00Z', 'Pacific/Auckland', []],
  ])('without a year, lists the year that %s', async (_which, now, timeZone, years) => {
    const user = await household({ timeZone });
    await pay({ userId: user.userId, invoices: [user.first], at: '2026-06-01T12:00:00Z' });
    await setEngineClock(portal.deps, now);
    onTestFinished(() => setEngineClock(portal.deps, new Date()));
    const page = await listOf(user, '');
    expect(page.years).toEqual([2026]);
    expect(page.items.map(({ paidAt }) => Number(paidAt.slice(0, 4)))).toEqual(years);
  });

  test('without a year, lists each franchise’s own year', async () => {
    const west = await household({ timeZone: 'America/Los_Angeles' });
    const east = await makeInvoice(db(), { timeZone: 'Pacific/Auckland' });
    await pay({ userId: west.userId, invoices: [west.first], at: '2026-01-02T12:00:00Z' });
    await pay({ userId: west.userId, invoices: [east], at: '2026-12-31T11:30:00Z' });
    await setEngineClock(portal.deps, '2027-01-01T07:59:00Z');
    onTestFinished(() => setEngineClock(portal.deps, new Date()));
    const { items } = await listOf(west, '');
    expect(items.map(({ paidAt }) => paidAt.slice(0, 10))).toEqual(['2027-01-01', '2026-01-02']);
  });
});

describe('a statement', () => {
  test('list, statement and file match the sum of the ledger', async () => {
    const ana = await household();
    const ben = await join(ana.locationId);
    const { userId } = ana;
    const elsewhere = await makeInvoice(db());
    await linkLocation(portal, { userId, ...elsewhere });
    await pay({ userId, invoices: [ana.first, elsewhere], tipCents: 3_33 });
    await pay({ userId, invoices: [await ana.another()], servicesCents: -7_77, note: 'One pane less' });
    await pay({ userId: ben.userId, invoices: [await ana.another()], servicesCents: 1_01, note: 'x' });
    await pay({ invoices: [await ana.another()] });
    await pay({ userId, invoices: [await ana.another()], state: 'capture_failed' });
    const received = await ana.another();
    await receiveElsewhere(db(), { ...received, receivedCents: 60_00 });
    await receiveElsewhere(db(), { ...received, receivedCents: -10_00 });

    const at = sql`(SELECT location_id FROM visible_location WHERE user_id = ${userId})`;
    const { rows } = await db().execute<{ dollars: number }>(sql`
      SELECT (sum(CASE WHEN e.direction = 'debit' THEN e.amount_cents ELSE -e.amount_cents END)
               FILTER (WHERE e.account = 'card')
            + sum(CASE WHEN e.direction = 'credit' THEN e.amount_cents ELSE -e.amount_cents END)
               FILTER (WHERE e.account = 'receivable' AND e.charge_id IS NULL))::float8 / 100 AS dollars
        FROM ledger_entry e JOIN invoice i ON i.id = e.invoice_id WHERE i.location_id IN ${at}`);
    const ledger = rows[0]?.dollars;
    // The office's entries are from today, so take the years from the list.
    const queries = (await listOf(ana)).years.map((each) => `?year=${each}`);
    const lists = (await Promise.all(queries.map((query) => listOf(ana, query)))).flatMap(
      ({ items }) => items,
    );
    const statements = await Promise.all(queries.map((query) => statementOf(ana, query)));
    const lines = (await Promise.all(queries.map((query) => fileOf(ana, query)))).flat();

    expect(sumDollars(lists.filter(({ state }) => state === 'paid').map(({ amount }) => amount))).toBe(
      ledger,
    );
    expect(sumDollars(statements.flatMap((each) => [each.paidByYou, each.paidByOthers]))).toBe(ledger);
    expect(sumDollars(statements.flatMap((each) => each.rows.map(({ total }) => total)))).toBe(ledger);
    expect(sumDollars(lines.map(({ total }) => Number(total)))).toBe(ledger);
    const byFranchise = statements.flatMap(({ franchises }) => franchises);
    expect(sumDollars(byFranchise.flatMap((each) => [each.paidByYou, each.paidByOthers]))).toBe(ledger);
    const parts = ['invoiceAmount', 'salesTax', 'services', 'servicesTax', 'tip'] as const;
    for (const line of lines)
      expect(sumDollars(parts.map((part) => Number(line[part])))).toBe(Number(line.total));
    expect(statements.every(({ refunded }) => refunded === 0)).toBe(true);
  });

  test('separates what the account paid from what others did, per franchise', async () => {
    const ana = await household();
    const other = await makeInvoice(db());
    await linkLocation(portal, { userId: ana.userId, ...other });
    await pay({ userId: ana.userId, invoices: [ana.first] });
    await pay({ invoices: [other] });
    const { franchises, ...statement } = await statementOf(ana);
    expect(statement).toMatchObject({ count: 2, paidByYou: 108.25, paidByOthers: 108.25, refunded: 0 });
    expect(franchises).toEqual(
      [
        { of: ana.franchiseId, paidByYou: 108.25, paidByOthers: 0, refunded: 0 },
        { of: other.franchiseId, paidByYou: 0, paidByOthers: 108.25, refunded: 0 },
      ].map(({ of, ...sums }) => ({ franchiseId: of, franchiseName: `Franchise ${of}`, ...sums })),
    );
  });

  test('shows only the number of more than 2,000 lines, and the file has them all', async () => {
    const user = await household();
    await portal.deps.db.transaction(async (tx) => {
      await allowTime(tx, { milliseconds: 60_000 });
      await tx.execute(sql`
        INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                             tax_rate_ppm, tips_enabled, paid_elsewhere_cents)
        SELECT ${user.franchiseId}, 5000000 + n, ${user.locationId}, 'Windows', 100, 0, 0, false, 100
          FROM generate_series(1, 2001) AS n`);
      await tx.execute(
        bookPaidElsewhere(sql`(SELECT id, version, paid_elsewhere_cents AS received_cents FROM invoice
          WHERE franchise_id = ${user.franchiseId} AND work_order_number > 5000000)`),
      );
    });
    const year = `?year=${(await listOf(user)).years[0]}`;
    const statement = await statementOf(user, year);
    expect(statement).toMatchObject({ rows: [], count: 2001, paidByOthers: 2001, paidByYou: 0 });
    expect(await fileOf(user, year)).toHaveLength(2001);
  });

  test('writes a file with a row per line for spreadsheets, in which no text becomes a formula', async () => {
    const user = await household();
    const { first } = user;
    await db().update(franchise).set({ name: '=HYPERLINK("x")' }).where(eq(franchise.id, user.franchiseId));
    await db()
      .update(location)
      .set({ addressLine1: '@SUM(1)', city: 'A, "B"' })
      .where(eq(location.id, user.locationId));
    await db().update(invoice).set({ service: '-2+3;\r\nx' }).where(eq(invoice.id, first.invoiceId));
    await pay({ userId: user.userId, invoices: [first], servicesCents: -7_77, note: 'less' });
    const answer = await open((await statementOf(user)).csvLink);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="payments-2026.csv"',
      'cache-control': 'no-store',
    });
    const [head, ...lines] = answer.body.split(/\r\n(?!x)/);
    expect(head).toBe(
      '\ufeffdate,workOrder,franchise,address,service,paidBy,method,reference,invoiceAmount,salesTax,services,servicesTax,tip,total,refunded',
    );
    expect(lines[0]).toMatch(
      new RegExp(
        `^2026-11-15,${user.workOrderNumber},"'=HYPERLINK\\(""x""\\)","'@SUM\\(1\\), A, ""B"", IL","'-2\\+3;\\r\\nx",you,card,\\d+,100.00,8.25,-7.77,-0.64,0.00,99.84,0.00$`,
      ),
    );
    expect(lines.slice(1)).toEqual(['']);
  });

  test('a file’s link opens it only for its user, year and location', async () => {
    const [ana, ben] = [await household(), await household()];
    await pay({ userId: ana.userId, invoices: [ana.first] });
    const { csvLink } = await statementOf(ana, `?year=2026&locationId=${ana.locationId}`);
    expect((await open(csvLink)).statusCode).toBe(200);
    const tampered = [
      csvLink.replace(ana.userId, ben.userId),
      csvLink.replace('payments-2026', 'payments-2025'),
      csvLink.replace(`locationId=${ana.locationId}`, `locationId=${ben.locationId}`),
      csvLink.replace(`&locationId=${ana.locationId}`, ''),
      csvLink.replace(/expires=(\d)/, 'expires=9$1'),
      csvLink.replace(/&signature=.*/, ''),
      csvLink.replace('?', '?user=x&'),
    ];
    for (const link of tampered) expect((await open(link)).statusCode, link).toBe(403);
    portal.now = new Date(portal.now.getTime() + 10 * 60_000);
    expect((await open(csvLink)).statusCode).toBe(403);
  });

  test('a receipt’s link opens only its payment, for ten minutes', async () => {
    const user = await household();
    const own = await pay({ userId: user.userId, invoices: [user.first] });
    const other = await pay({ userId: user.userId, invoices: [await user.another()] });
    const failed = await pay({
      userId: user.userId,
      invoices: [await user.another()],
      state: 'capture_failed',
    });
    const { receiptLink } = await paymentOf(user, own);
    const link = receiptLink ?? '';
    expect((await open(link)).headers['content-type']).toBe('application/pdf');
    for (const tampered of [
      link.replace(own.paymentId, other.paymentId),
      link.replace(own.paymentId, failed.paymentId),
      link.replace(/expires=(\d)/, 'expires=9$1'),
      link.replace(/&signature=.*/, ''),
    ])
      expect((await open(tampered)).statusCode, tampered).toBe(403);
    portal.now = new Date(portal.now.getTime() + 10 * 60_000);
    expect((await open(link)).statusCode).toBe(403);
  });

  test('sixty statements an hour are made, also when all are asked for at once, and then the next has to wait', async () => {
    const user = await signInUser(portal);
    const answers = await Promise.all(Array.from({ length: 75 }, () => get(user, '/statements?year=2026')));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(60);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15);
    const refused = await get(user, '/statements?year=2026');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBeDefined();
  });
});
