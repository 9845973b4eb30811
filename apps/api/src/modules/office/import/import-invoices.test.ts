import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { call, TEST_SECRETS, useTestApp } from '../../../../test/build-test-app.ts';
import {
  callOffice,
  importCsv,
  importRows,
  makeOfficeKey,
  officeRow,
  type Row,
  toCsv,
} from '../../../../test/office/office.ts';

const portal = useTestApp();

const find = async ({ franchiseId, workOrderNumber, zipCode }: Row) =>
  call(portal, 'POST', '/user/invoice/search', { body: { franchiseId, workOrderNumber, zipCode } });

/** Checksums of everything that an import may change, to show that one changed nothing. */
async function everything() {
  const { rows } = await portal.deps.db.query.execute(sql`
    SELECT (SELECT sum(hashtextextended(f::text, 0)) FROM franchise f) AS franchises,
           (SELECT sum(hashtextextended(c::text, 0)) FROM customer c) AS customers,
           (SELECT sum(hashtextextended(l::text, 0)) FROM location l) AS locations,
           (SELECT sum(hashtextextended(i::text, 0)) FROM invoice i) AS invoices,
           (SELECT sum(hashtextextended(e::text, 0)) FROM ledger_entry e) AS entries,
           (SELECT count(*) FROM outgoing_mail) AS mails`);
  return rows[0];
}

describe('an import', () => {
  test('creates invoices that are found by their three numbers, and changes nothing when repeated', async () => {
    const rows = [
      officeRow({ zipCode: '02113-4455' }),
      officeRow({ dueDate: '', completedDate: '', tipsEnabled: 'false' }),
      officeRow({
        customerName: "Łukasz D'Arcy",
        salesTaxRate: '0.08875',
        salesTaxAmount: '8.87',
      }),
    ];
    const answer = await importRows(portal, rows);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ created: 3, updated: 0, unchanged: 0 });
    const [first, second] = rows as [Row, Row];
    expect((await find({ ...first, zipCode: '2113' })).json()).toMatchObject({
      franchiseName: 'Clear View',
      balanceDue: 108.25,
      salesTaxAmount: 8.25,
      salesTaxRate: 0.0825,
      dueDate: '2026-11-30T23:59:59-06:00',
      services: ['Windows, inside and out', 'Gutters'],
      city: 'Springfield',
      payments: [],
    });
    expect((await find(second)).json()).toMatchObject({
      dueDate: null,
      completedDate: null,
      tipsEnabled: false,
    });

    const before = await everything();
    expect((await importRows(portal, rows)).json()).toEqual({ created: 0, updated: 0, unchanged: 3 });
    expect(await everything()).toEqual(before);
  });

  test('accepts JSON too', async () => {
    const { amount, tipsEnabled, franchiseId, dueDate, ...row } = officeRow();
    const body = {
      rows: [
        {
          ...row,
          amount: Number(amount),
          tipsEnabled: tipsEnabled === 'true',
          franchiseId: Number(franchiseId),
          dueDate: null,
        },
      ],
    };
    const answer = await callOffice(portal, 'POST', '/import', { body });
    expect(answer.json()).toEqual({ created: 1, updated: 0, unchanged: 0 });
    expect((await find(officeRow({ ...row, franchiseId }))).json()).toMatchObject({
      balanceDue: 108.25,
      dueDate: null,
    });
  });

  test('refuses a JSON row that leaves a field out, rather than emptying what is stored', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const before = await everything();
    const { dueDate, ...others } = row;
    const answer = await callOffice(portal, 'POST', '/import', { body: { rows: [others] } });
    expect([answer.statusCode, answer.json().errors]).toEqual([
      400,
      [{ code: 'BadLine', description: 'line 1: dueDate is missing' }],
    ]);
    expect(await everything()).toEqual(before);
    expect((await find(row)).json().dueDate).toContain(dueDate);
  });

  test('accepts a file without rows', async () => {
    expect((await importRows(portal, [])).json()).toEqual({ created: 0, updated: 0, unchanged: 0 });
  });

  test.each<[string, Partial<Row>, Record<string, unknown>]>([
    ['an amount', { amount: '120.00' }, { amount: 120, version: 2 }],
    ['a tax', { salesTaxAmount: '1.00' }, { salesTaxAmount: 1, version: 2 }],
    ['a rate', { salesTaxRate: '0.05' }, { salesTaxRate: 0.05, version: 2 }],
    ['a due date', { dueDate: '2026-12-24' }, { dueDate: '2026-12-24T23:59:59-06:00', version: 1 }],
    ['no due date any more', { dueDate: '' }, { dueDate: null }],
    ['a completed date', { completedDate: '2026-11-05' }, { completedDate: '2026-11-05T12:00:00-06:00' }],
    ['tips', { tipsEnabled: 'false' }, { tipsEnabled: false, version: 2 }],
    ['a service', { service: 'Screens' }, { services: ['Screens'] }],
    ["the franchise's name", { franchiseName: 'Clearer View' }, { franchiseName: 'Clearer View' }],
    ["the franchise's time zone", { timeZone: 'America/New_York' }, { dueDate: '2026-11-30T23:59:59-05:00' }],
    ["the location's address", { addressLine1: '1 Elm Street' }, { addressLine1: '1 Elm Street' }],
    ["the location's zip", { zipCode: '90210' }, { city: 'Springfield' }],
    ["the customer's name", { customerName: 'Zoë Smith' }, {}],
    ["the customer's email", { customerEmail: '' }, {}],
    ['another location', { locationId: '987654', city: 'Shelbyville' }, { city: 'Shelbyville' }],
    ['another customer', { customerNumber: '987654' }, {}],
    ['what was received', { paidElsewhere: '8.25' }, { balanceDue: 100, version: 2 }],
  ])('that changes %s updates its invoice alone', async (_what, change, expected) => {
    const [row, other] = [officeRow(), officeRow()];
    await importRows(portal, [row, other]);
    const changed = { ...row, ...change };
    expect((await importRows(portal, [changed, other])).json()).toEqual({
      created: 0,
      updated: 1,
      unchanged: 1,
    });
    expect((await find(changed)).json()).toMatchObject(expected);
    expect((await importRows(portal, [changed, other])).json()).toEqual({
      created: 0,
      updated: 0,
      unchanged: 2,
    });
  });

  test('that changes a place updates every invoice there, and counts a new one as new', async () => {
    const row = officeRow();
    const next = officeRow({ ...row, workOrderNumber: '5', amount: '20.00' });
    await importRows(portal, [row]);
    const moved = [row, next].map((each) => ({ ...each, city: 'Capital City' }));
    expect((await importRows(portal, moved)).json()).toEqual({ created: 1, updated: 1, unchanged: 0 });
  });

  test('that contradicts itself about a place uses its last statement, and changes nothing when repeated', async () => {
    const row = officeRow();
    const rows = [
      row,
      { ...row, workOrderNumber: '5', city: 'Shelbyville', customerName: 'Zoë B', franchiseName: 'B' },
    ];
    await importRows(portal, rows);
    expect((await find(row)).json()).toMatchObject({ city: 'Shelbyville', franchiseName: 'B' });
    expect((await importRows(portal, rows)).json()).toEqual({ created: 0, updated: 0, unchanged: 2 });
  });

  test('keeps numbers of one franchise apart from those of another', async () => {
    const row = officeRow();
    const other = { ...row, franchiseId: officeRow().franchiseId, amount: '50.00' };
    expect((await importRows(portal, [row, other])).json()).toMatchObject({ created: 2 });
    expect((await find(row)).json()).toMatchObject({ balanceDue: 108.25 });
    expect((await find(other)).json()).toMatchObject({ balanceDue: 50 });
  });
});

describe('money that the office received', () => {
  const entriesOf = async ({ franchiseId, workOrderNumber }: Row) => {
    const { rows } = await portal.deps.db.query.execute(sql`
      SELECT e.account, e.direction, e.amount_cents::integer AS cents FROM ledger_entry e JOIN invoice i ON i.id = e.invoice_id
       WHERE i.franchise_id = ${franchiseId} AND i.work_order_number = ${workOrderNumber} ORDER BY e.id`);
    return rows;
  };

  test('is booked each time it grows, and taken back when it shrinks', async () => {
    const row = officeRow();
    for (const paidElsewhere of ['20.00', '20.00', '50.00', '45.00', '50.00']) {
      await importRows(portal, [{ ...row, paidElsewhere }]);
    }
    const found = (await find(row)).json();
    expect(found).toMatchObject({ balanceDue: 58.25, amount: 108.25 });
    expect(
      found.payments.map(({ amount, type }: { amount: number; type: object }) => [amount, type]),
    ).toEqual([
      [20, { description: 'Paid to your office' }],
      [30, { description: 'Paid to your office' }],
      [-5, { description: 'Paid to your office' }],
      [5, { description: 'Paid to your office' }],
    ]);
    const pair = (debit: string, credit: string, cents: number) => [
      expect.objectContaining({ account: debit, direction: 'debit', cents }),
      expect.objectContaining({ account: credit, direction: 'credit', cents }),
    ];
    const entries = await entriesOf(row);
    expect(entries).toHaveLength(8);
    expect(entries).toEqual(
      expect.arrayContaining([
        ...pair('office', 'receivable', 2000),
        ...pair('office', 'receivable', 3000),
        ...pair('receivable', 'office', 500),
        ...pair('office', 'receivable', 500),
      ]),
    );
  });

  test('is unchanged by a file without the column', async () => {
    const row = officeRow({ paidElsewhere: '40.00' });
    await importRows(portal, [row]);
    const columns = INVOICE_COLUMNS.slice(0, -1);
    expect((await importCsv(portal, toCsv([row], { columns }))).json()).toMatchObject({ unchanged: 1 });
    expect((await find(row)).json()).toMatchObject({ balanceDue: 68.25 });
    const { paidElsewhere, ...fields } = row;
    const answer = await callOffice(portal, 'POST', '/import', {
      body: { rows: [{ ...fields, amount: '118.25' }] },
    });
    expect(answer.json()).toEqual({ created: 0, updated: 1, unchanged: 0 });
    expect((await find(row)).json()).toMatchObject({ balanceDue: 78.25 });
    expect(paidElsewhere).toBe('40.00');
  });

  test('beyond the amount is reported as an overpayment, once', async () => {
    const row = officeRow({ paidElsewhere: '110.00' });
    const { franchiseId, workOrderNumber } = row;
    const named = (amount: number) => [
      { franchiseId: Number(franchiseId), workOrderNumber: Number(workOrderNumber), amount },
    ];
    expect((await importRows(portal, [row])).json()).toMatchObject({ created: 1, overpaid: named(1.75) });
    expect((await importRows(portal, [row])).json()).toEqual({ created: 0, updated: 0, unchanged: 1 });
    const later = { ...row, dueDate: '2026-12-01' };
    expect((await importRows(portal, [later])).json()).toEqual({ created: 0, updated: 1, unchanged: 0 });
    const more = { ...later, paidElsewhere: '118.25' };
    expect((await importRows(portal, [more])).json()).toMatchObject({ updated: 1, overpaid: named(10) });
    const corrected = { ...later, paidElsewhere: '109.00' };
    expect((await importRows(portal, [corrected])).json()).toEqual({ created: 0, updated: 1, unchanged: 0 });
    expect((await find(row)).json()).toMatchObject({ balanceDue: 0 });
  });
});

describe('an import with bad lines', () => {
  test('changes nothing, and names each of them', async () => {
    const existing = officeRow();
    await importRows(portal, [existing]);
    const before = await everything();
    const rows = [
      { ...existing, amount: '21.00' },
      officeRow({ amount: '12.345' }),
      officeRow(),
      officeRow({ dueDate: '2026-02-30', tipsEnabled: 'maybe' }),
      { ...existing, amount: '22.00' },
    ];
    const answer = await importRows(portal, rows);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      title: 'Bad Request',
      status: 400,
      detail: '3 lines are wrong, so nothing was imported.',
      errors: [
        {
          code: 'BadLine',
          description: 'line 3: amount "12.345" must be dollars such as 108.25, from 0 to 99999999.99',
        },
        {
          code: 'BadLine',
          description:
            'line 5: dueDate "2026-02-30" must be a date such as 2026-11-30; tipsEnabled "maybe" must be true or false',
        },
        {
          code: 'BadLine',
          description: `line 6: work order ${existing.workOrderNumber} of franchise ${existing.franchiseId} stands on line 2 already`,
        },
      ],
    });
    expect(await everything()).toEqual(before);
  });

  test('names a hundred and counts the rest', async () => {
    const answer = await importRows(
      portal,
      Array.from({ length: 150 }, () => officeRow({ amount: 'x' })),
    );
    expect(answer.statusCode).toBe(400);
    const { detail, errors } = answer.json();
    expect(detail).toBe('150 lines are wrong, so nothing was imported. The first 100 are named.');
    expect(errors).toHaveLength(100);
    expect(errors[99].description).toMatch(/^line 101: /);
  });

  test.each<[string, string, string | undefined, string]>([
    ['an empty file', 'text/csv', '', 'line 1: the file is empty'],
    ['a wrong header', 'text/csv; charset=utf-8', 'a,b\n1,2', 'line 1: the header must be franchiseId,'],
    ['a file of another encoding', 'text/csv', undefined, 'line 2: customerName "K�hler" must be UTF-8 text'],
    ['JSON that is none', 'application/json', '{"rows":[', 'line 1: this is not JSON'],
    ['JSON of another shape', 'application/json', '[]', 'line 1: the body must be {"rows": [...]}'],
    ['an empty JSON body', 'application/json', '', 'line 1: the body must be {"rows": [...]}'],
    ['a row that is not whole', 'application/json', '{"rows":[{}]}', 'line 1: franchiseId is missing'],
  ])('%s is named', async (_what, contentType, body, description) => {
    const latin1 = Buffer.from(toCsv([officeRow({ customerName: 'Köhler' })]), 'latin1');
    const answer = await callOffice(portal, 'POST', '/import', {
      body: body ?? latin1,
      headers: { 'content-type': contentType },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail).toBe('One line is wrong, so nothing was imported.');
    expect(answer.json().errors[0].description).toContain(description);
  });

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'a=b'],
    ['plain text', 'text/plain', 'a'],
    ['nothing at all', undefined, undefined],
  ])('%s is refused as neither CSV nor JSON', async (_what, contentType, body) => {
    const answer = await callOffice(portal, 'POST', '/import', {
      body,
      headers: contentType ? { 'content-type': contentType } : {},
    });
    expect(answer.statusCode).toBe(415);
    expect(answer.json().detail).toBe('Please send the import as text/csv or application/json.');
  });
});

// Tens of megabytes, on a busy machine.
describe('a large file', { timeout: 120_000 }, () => {
  /** Rows with the longest service allowed, so that a few thousand make tens of megabytes. */
  function* wideFile(megabytes: number): Generator<string> {
    yield toCsv([]);
    const row = officeRow({ service: 'w'.repeat(20_000) });
    const [, line = ''] = toCsv([row]).split('\n');
    const [before = '', after = ''] = line.split(`"${row.workOrderNumber}","w`);
    for (let number = 1; number * line.length < megabytes * 1_000_000; number++) {
      yield `${before}"${number}","w${after}\n`;
    }
  }

  test('of 50 MB is imported', async () => {
    const answer = await importCsv(portal, Readable.from(wideFile(50)) as unknown as Buffer);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().created).toBeGreaterThan(2_000);
  });

  test('beyond 64 MB is refused, with or without a declared length, and changes nothing', async () => {
    const before = await everything();
    const unknown = await importCsv(portal, Readable.from(wideFile(70)) as unknown as Buffer);
    const known = await callOffice(portal, 'POST', '/import', {
      body: Readable.from(wideFile(1)),
      headers: { 'content-type': 'text/csv', 'content-length': String(65 * 1024 * 1024) },
    });
    for (const answer of [unknown, known]) {
      expect(answer.statusCode).toBe(413);
      expect(answer.json().detail).toBe('An import may have at most 64 MB. Please send it in parts.');
    }
    expect(await everything()).toEqual(before);
  });
});

describe('an import that is cut short', () => {
  test('by its sender changes nothing', async () => {
    const before = await everything();
    const url = await listening();
    const upload = request(`${url}/api/office/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_SECRETS.officeApiKey}`, 'content-type': 'text/csv' },
    });
    upload.on('error', () => {});
    upload.write(toCsv([officeRow()]));
    await untilBackend("query LIKE 'COPY import_row%'");
    upload.destroy();
    await untilImports(0);
    expect(await everything()).toEqual(before);
  });

  test('by a sender that leaves while others have their turn affects nobody', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const upload = await uploads();
    const uploading = [upload(), upload(), upload(row, await makeOfficeKey(portal, row.franchiseId))];
    await untilImports(3);
    const arrival = once(portal.app.server, 'request');
    const waiting = upload();
    const [arrived] = (await arrival) as [IncomingMessage];
    const gone = new Promise((resolve) => arrived.once('close', resolve));
    waiting.destroy();
    await gone;
    const answers = await Promise.all(
      uploading.map(async (sending) => {
        sending.end();
        const [answer] = (await once(sending, 'response')) as [IncomingMessage];
        answer.resume();
        return answer.statusCode;
      }),
    );
    expect(answers).toEqual([200, 200, 200]);
    expect((await importRows(portal, [officeRow()])).statusCode).toBe(200);
  });

  test('by one caller who stalls as many files as they like keeps nobody else from importing and checking', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const key = await makeOfficeKey(portal, row.franchiseId);
    const upload = await uploads();
    const stalled = Array.from({ length: 8 }, () => upload());
    await untilImports(2);
    const send = (path: string) =>
      callOffice(portal, 'POST', path, { key, body: toCsv([row]), headers: { 'content-type': 'text/csv' } });
    expect((await send(`/import/preview?importId=${randomUUID()}`)).statusCode).toBe(200);
    expect((await send('/import')).json()).toMatchObject({ unchanged: 1 });
    await untilImports(2);
    for (const sending of stalled) sending.destroy();
    await untilImports(0);
    expect((await importRows(portal, [officeRow()])).statusCode).toBe(200);
  });

  test('inside its transaction changes nothing, and can be repeated', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const rows = [officeRow(), { ...row, amount: '90.00' }];
    const before = await everything();
    await whileLocked(row, async () => {
      const answer = importRows(portal, rows);
      const pid = await untilBackend("wait_event_type = 'Lock'");
      await portal.deps.db.query.execute(sql`SELECT pg_terminate_backend(${pid})`);
      expect((await answer).statusCode).toBe(503);
    });
    expect(await everything()).toEqual(before);
    expect((await importRows(portal, rows)).json()).toEqual({ created: 1, updated: 1, unchanged: 0 });
  });
});

describe('imports at the same time', () => {
  test('of one new file create its invoices once', async () => {
    const place = officeRow();
    await importRows(portal, [place]);
    const rows = Array.from({ length: 500 }, (_, index) => ({
      ...place,
      workOrderNumber: String(index + 1),
    }));
    const answers = await Promise.all([1, 2, 3, 4].map(() => importRows(portal, rows)));
    const counts = answers.map((answer) => answer.json());
    expect(counts.filter(({ created }) => created === 500)).toHaveLength(1);
    expect(counts.filter(({ unchanged }) => unchanged === 500)).toHaveLength(3);
  });

  test('as other transactions lock invoices in another order: the one that gave way retries', async () => {
    const rows = [officeRow(), officeRow()];
    const [first, last] = rows as [Row, Row];
    await importRows(portal, rows);
    const changed = rows.map((row) => ({ ...row, amount: '90.00' }));
    await whileLocked(last, async (other) => {
      // Make Postgres abort the import: the other connection waits longer before it checks for a deadlock.
      await other.query("SET deadlock_timeout = '1min'");
      const answer = importRows(portal, changed);
      await untilBackend("wait_event_type = 'Lock'");
      await lock(other, first);
      await other.query('COMMIT');
      expect((await answer).json()).toEqual({ created: 0, updated: 2, unchanged: 0 });
    });
  });
});

/** Begins uploads that don't end, by the office's own key or another. */
async function uploads() {
  const url = await listening();
  return (row = officeRow(), key = TEST_SECRETS.officeApiKey) => {
    const sending = request(`${url}/api/office/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    });
    sending.on('error', () => {});
    sending.write(toCsv([row]));
    return sending;
  };
}

async function listening(): Promise<string> {
  const { server } = portal.app;
  if (!server.listening) await portal.app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Waits until the import's connection is in a state, and returns its process id. */
async function untilBackend(condition: string): Promise<number> {
  for (;;) {
    const { rows } = await portal.deps.db.query.execute<{ pid: number }>(
      sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database()
             AND application_name = 'brightpane import' AND ${sql.raw(condition)}`,
    );
    if (rows[0]) return rows[0].pid;
  }
}

async function untilImports(count: number): Promise<void> {
  for (;;) {
    const { rowCount } = await portal.deps.db.query.execute(
      sql`SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'brightpane import'`,
    );
    if (rowCount === count) return;
  }
}

async function lock(client: pg.Client, { franchiseId, workOrderNumber }: Row): Promise<void> {
  await client.query('SELECT FROM invoice WHERE franchise_id = $1 AND work_order_number = $2 FOR UPDATE', [
    franchiseId,
    workOrderNumber,
  ]);
}

/** Runs `work` while another connection locks an invoice, as a payment does. */
async function whileLocked(row: Row, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: portal.deps.env.DATABASE_URL });
  await client.connect();
  try {
    await client.query('BEGIN');
    await lock(client, row);
    await work(client);
  } finally {
    await client.end();
  }
}
