import { randomUUID } from 'node:crypto';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import { parse } from 'csv-parse/sync';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { TEST_SECRETS, useTestApp } from '../../../../test/build-test-app.ts';
import {
  callOffice,
  importRows,
  makeOfficeKey,
  officeRow,
  type Row,
  toCsv,
} from '../../../../test/office/office.ts';
import {
  callConfirmed,
  callConsole,
  makeSignedIn,
  makeStaff,
  OFFICE_SETTINGS,
  refusalOf,
} from '../../../../test/office/office-people.ts';
import { type SeededRandom, seededRandom } from '../../../../test/seeded-random.ts';
import { forgetOld } from '../../../jobs/forget-old.ts';
import { PLACES_OF_INVOICE, ROW_OF_BOOKS } from '../import/check/row-view.queries.ts';
import { beginChecked } from '../import/import-record.queries.ts';

const portal = useTestApp(OFFICE_SETTINGS);

const get = (path: string, key: string = TEST_SECRETS.officeApiKey) =>
  callOffice(portal, 'GET', path, { headers: { authorization: `Bearer ${key}` } });

const send = (path: string, rows: Row[] | string, key: string = TEST_SECRETS.officeApiKey) =>
  callOffice(portal, 'POST', path, {
    body: typeof rows === 'string' ? rows : toCsv(rows),
    headers: { 'content-type': 'text/csv', authorization: `Bearer ${key}` },
  });

/** Checks a file and imports it. */
async function take(rows: Row[], key?: string): Promise<string> {
  const importId = randomUUID();
  expect((await send(`/import/preview?importId=${importId}&fileName=Monday.csv`, rows, key)).statusCode).toBe(
    200,
  );
  expect((await send(`/import?importId=${importId}`, rows, key)).statusCode).toBe(200);
  return importId;
}

const found = async (importId: string, key?: string) => (await get(`/imports/${importId}`, key)).json();

async function undo(importId: string, key?: string): Promise<{ file: string; rows: Row[] }> {
  // Ten files an hour and fifty a day are a person's or key's limit.
  portal.now = new Date(portal.now.getTime() + 86_400_000);
  const { body } = await get(`/imports/${importId}/undo.csv`, key);
  return { file: body, rows: parse<Row>(body, { columns: true }) };
}

/** An office's invoices as import rows, by work order. */
async function rowsOf(franchiseId: string) {
  const { rows } = await portal.deps.db.query.execute(sql`
    SELECT ${ROW_OF_BOOKS} FROM invoice i ${PLACES_OF_INVOICE}
     WHERE i.franchise_id = ${Number(franchiseId)} ORDER BY i.work_order_number`);
  return rows;
}

/** Work orders whose former customer is their place's present one, which hides them from that customer. */
async function hiddenFromOwner(franchiseId: string) {
  const { rows } = await portal.deps.db.query.execute(sql`
    SELECT i.work_order_number FROM invoice i JOIN location l ON l.id = i.location_id
     WHERE i.franchise_id = ${Number(franchiseId)} AND i.former_customer_id = l.customer_id`);
  return rows;
}

describe('the history', () => {
  test('names who, the file and what it did, for imports by key too', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const importId = await take([{ ...row, amount: '120.00' }]);
    const { items } = (await get('/imports')).json();
    expect(items.slice(0, 2)).toEqual([
      expect.objectContaining({
        importId,
        state: 'applied',
        by: 'key:environment',
        fileName: 'Monday.csv',
        created: 0,
        updated: 1,
        unchanged: 0,
        overpaid: 0,
      }),
      expect.objectContaining({ state: 'applied', by: 'key:environment', fileName: null, created: 1 }),
    ]);
    expect(await found(importId)).toMatchObject({
      state: 'applied',
      rowsRead: 1,
      franchises: [
        { franchiseId: Number(row.franchiseId), updated: 1, amountBefore: 108.25, amountAfter: 120 },
      ],
      changes: [
        {
          line: null,
          kind: 'updated',
          workOrderNumber: Number(row.workOrderNumber),
          fields: [{ field: 'amount', before: 108.25, after: 120 }],
        },
      ],
      undo: { rows: 1, leftOut: 0 },
    });
  });

  test('names a person by name, and by email too where two have one name', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const importId = await take([{ ...row, amount: '120.00' }]);
    const ann = await makeStaff(portal, { lastName: 'Lee' });
    const { query } = portal.deps.db;
    await query.execute(sql`
      UPDATE office_import SET staff_id = ${ann.staffId}, api_key_id = NULL WHERE id = ${importId}`);
    const names = async () => [
      (await get('/imports')).json().items[0].by,
      (await found(importId)).by,
      (await get(`/invoices/${row.franchiseId}/${row.workOrderNumber}`)).json().history[0].by,
    ];
    expect(await names()).toEqual(Array(3).fill('Robin Lee'));
    await makeStaff(portal, { lastName: 'Lee' });
    expect(await names()).toEqual(Array(3).fill(`Robin Lee (${ann.email})`));
    await query.execute(sql`UPDATE app_user SET first_name = '', last_name = '' WHERE email = ${ann.email}`);
    expect(await names()).toEqual(Array(3).fill(ann.email));
  });

  test('lists refused files with their faults, for their sender only', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const key = await makeOfficeKey(portal, row.franchiseId);
    const importId = randomUUID();
    await send(`/import/preview?importId=${importId}`, [{ ...row, amount: 'x' }], key);
    expect(await found(importId, key)).toMatchObject({
      state: 'refused',
      by: `key:office ${row.franchiseId}`,
      faultCount: 1,
      faults: [{ line: 2, column: 'amount', value: 'x' }],
    });
    const other = officeRow();
    await importRows(portal, [other]);
    expect(
      (await get(`/imports/${importId}`, await makeOfficeKey(portal, other.franchiseId))).statusCode,
    ).toBe(404);
  });

  test('of one office has what a file for many did to it, and one’s own files that changed none', async () => {
    const [one, other] = [officeRow(), officeRow()];
    await importRows(portal, [one, other]);
    const importId = await take([
      { ...one, amount: '120.00' },
      officeRow({ franchiseId: one.franchiseId }),
      { ...other, amount: '120.00' },
    ]);
    const refused = randomUUID();
    await send(`/import/preview?importId=${refused}`, [{ ...one, amount: 'x' }]);
    for (const [franchiseId, counts] of [
      [one.franchiseId, { created: 1, updated: 1 }],
      [other.franchiseId, { created: 0, updated: 1 }],
    ] as const) {
      const { items } = (await get(`/imports?franchiseId=${franchiseId}`)).json();
      expect(items.slice(0, 2)).toMatchObject([
        { importId: refused, state: 'refused' },
        { importId, ...counts },
      ]);
    }
    const key = await makeOfficeKey(portal, other.franchiseId);
    await send(`/import/preview?importId=${randomUUID()}`, [{ ...other, amount: 'x' }], key);
    const states = async (franchiseId: string | undefined) =>
      (await get(`/imports?franchiseId=${franchiseId}`, key))
        .json()
        .items.map(({ state }: { state: string }) => state);
    expect(await states(other.franchiseId)).toEqual(['refused', 'applied', 'applied']);
    expect(await states(one.franchiseId)).toEqual([]);
  });

  test('shows an office what a file for many did to it, and nothing about the others', async () => {
    const [own, other] = [officeRow(), officeRow()];
    await importRows(portal, [own, other]);
    const importId = await take([own, other].map((row) => ({ ...row, paidElsewhere: '200.00' })));
    const key = await makeOfficeKey(portal, own.franchiseId);
    const [first] = (await get('/imports', key)).json().items;
    expect(first).toMatchObject({ importId, updated: 1, overpaid: 1 });
    const mine = await found(importId, key);
    expect(mine).toMatchObject({ rowsRead: 1, updated: 1 });
    expect(await found(importId)).toMatchObject({ rowsRead: 2, updated: 2 });
    expect(mine.franchises.map(({ franchiseId }: { franchiseId: number }) => franchiseId)).toEqual([
      Number(own.franchiseId),
    ]);
    expect(mine.overpaid).toHaveLength(1);
    expect(mine.changes).toHaveLength(1);
    // Exclude the years of dates, which may equal the number.
    expect(JSON.stringify(mine)).not.toMatch(new RegExp(`:"?${other.workOrderNumber}\\b(?!-)`));
    const { file } = await undo(importId, key);
    expect(file).toContain(`\n${own.franchiseId},`);
    expect(file).not.toContain(`\n${other.franchiseId},`);
  });

  test('has pages of fifty, each import once', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const key = await makeOfficeKey(portal, row.franchiseId);
    for (let count = 0; count < 52; count++) await send('/import', [row], key);
    const first = (await get('/imports', key)).json();
    const second = (await get(`/imports?cursor=${first.next}`, key)).json();
    const ids = [...first.items, ...second.items].map(({ importId }) => importId);
    expect([first.items.length, second.items.length, second.next]).toEqual([50, 3, null]);
    expect(new Set(ids).size).toBe(53);
    for (const cursor of ['x', first.next.slice(1)]) {
      const answer = await get(`/imports?cursor=${cursor}`, key);
      expect([answer.statusCode, answer.json().errors[0].code]).toEqual([400, 'CursorUnknown']);
    }
  });

  test('marks an import as broken off after an hour: its instance ended in the middle', async () => {
    const importId = randomUUID();
    const { query } = portal.deps.db;
    await query.execute(sql`
      INSERT INTO office_import (id, api_key_id, state, started_at)
      SELECT ${importId}, id, 'checking', engine_now() - interval '59 minutes'
        FROM office_api_key WHERE name = 'environment'`);
    await forgetOld(portal.deps);
    expect(await found(importId)).toMatchObject({ state: 'checking' });
    await query.execute(sql`
      UPDATE office_import SET started_at = started_at - interval '2 minutes' WHERE id = ${importId}`);
    await forgetOld(portal.deps);
    expect(await found(importId)).toMatchObject({ state: 'broken-off' });
  });
});

test('what a check said and wrong lines are forgotten after 90 days', async () => {
  const row = officeRow();
  await importRows(portal, [row]);
  const applied = await take([{ ...row, amount: '120.00' }]);
  const [checked, refused] = [randomUUID(), randomUUID()];
  await send(`/import/preview?importId=${checked}`, [{ ...row, amount: '130.00' }]);
  await send(`/import/preview?importId=${refused}`, [{ ...row, amount: 'x' }]);
  const pass = async (days: number) => {
    await portal.deps.db.query.execute(sql`
      UPDATE office_import SET started_at = started_at - make_interval(days => ${days})
       WHERE id IN (${applied}, ${checked}, ${refused})`);
    await forgetOld(portal.deps);
    const { rows } = await portal.deps.db.query.execute<{ kept: boolean }>(sql`
      SELECT checked IS NOT NULL OR faults <> '[]' AS kept FROM office_import
       WHERE id IN (${applied}, ${checked}, ${refused})`);
    return rows.map(({ kept }) => kept);
  };
  expect(await pass(89)).toEqual([true, true, true]);
  expect(await pass(2)).toEqual([false, false, false]);
  expect(await found(checked)).toMatchObject({ state: 'checked', changes: [] });
  expect(await found(refused)).toMatchObject({ state: 'refused', faultCount: 1, faults: [] });
});

test('an import is under way from its own start, however old its check', async () => {
  const rows = [officeRow()];
  const importId = randomUUID();
  await send(`/import/preview?importId=${importId}`, rows);
  const { query } = portal.deps.db;
  await query.execute(sql`
    UPDATE office_import SET started_at = started_at - interval '2 hours' WHERE id = ${importId}`);
  const { rows: keys } = await query.execute<{ id: string }>(sql`
    SELECT api_key_id AS id FROM office_import WHERE id = ${importId}`);
  const sender = { kind: 'key', id: keys[0]?.id ?? '' } as const;
  expect(await beginChecked(query, { importId, sender })).toBe(true);
  await forgetOld(portal.deps);
  expect(await found(importId)).toMatchObject({ state: 'applying' });
});

describe('rows sent with one office’s key', () => {
  test('must be that office’s, or nothing is imported', async () => {
    const [own, other] = [officeRow(), officeRow()];
    await importRows(portal, [own, other]);
    const key = await makeOfficeKey(portal, own.franchiseId);
    const fault = {
      line: 3,
      column: 'franchiseId',
      value: other.franchiseId,
      rule: 'must be one of your franchises',
    };
    const checked = await send(`/import/preview?importId=${randomUUID()}`, [own, other], key);
    expect(checked.json()).toMatchObject({ faultCount: 1, faults: [fault] });
    for (const row of [other, officeRow()]) {
      const answer = await send('/import', [{ ...row, amount: '1.00', salesTaxAmount: '0.00' }], key);
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        {
          title: 'Bad Request',
          status: 400,
          detail: 'One line is wrong, so nothing was imported.',
          errors: [
            {
              code: 'BadLine',
              description: `line 2: franchiseId "${row.franchiseId}" must be one of your franchises`,
            },
          ],
        },
      ]);
    }
    expect((await send('/import', [own], key)).json()).toMatchObject({ unchanged: 1 });
  });

  test('cannot be imported under another sender’s check', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const importId = randomUUID();
    await send(`/import/preview?importId=${importId}`, [row]);
    const key = await makeOfficeKey(portal, row.franchiseId);
    for (const path of [`/import?importId=${importId}`, `/import/preview?importId=${importId}`]) {
      expect((await send(path, [row], key)).statusCode).toBe(404);
    }
  });
});

describe('an undo file', () => {
  test('restores what an import changed; what it created has nothing due', async () => {
    const row = officeRow({
      customerName: '=HYPERLINK("x")',
      paidElsewhere: '8.25',
      salesTaxRate: '0.08875',
    });
    await importRows(portal, [row]);
    const before = await rowsOf(row.franchiseId);
    const changed = { ...row, amount: '500.00', customerName: 'Zoë', city: 'Shelbyville', dueDate: '' };
    const importId = await take([changed, { ...changed, workOrderNumber: '5' }]);
    const { file, rows } = await undo(importId);
    expect(file.split('\r\n')[0]).toBe(INVOICE_COLUMNS.join(','));
    const nothingDue = { amount: '0.00', salesTaxAmount: '0.00', paidElsewhere: '0.00' };
    expect(rows).toEqual([row, { ...row, ...nothingDue, workOrderNumber: '5', dueDate: '' }]);
    expect((await send('/import', file)).json()).toMatchObject({ created: 0, updated: 2 });
    expect((await rowsOf(row.franchiseId)).find(({ work_order_number }) => work_order_number !== 5)).toEqual(
      before[0],
    );
  });

  test('has all of an office’s rows, behind however many of other offices', async () => {
    const [own, other] = [officeRow(), officeRow()];
    const others = Array.from({ length: 1_000 }, (_, row) => ({
      ...other,
      workOrderNumber: String(row + 1),
    }));
    await importRows(portal, others);
    const importId = await take([...others.map((row) => ({ ...row, amount: '500.00' })), own]);
    const key = await makeOfficeKey(portal, own.franchiseId);
    expect((await found(importId, key)).undo).toEqual({ rows: 1, leftOut: 0 });
    expect((await undo(importId, key)).rows).toMatchObject([{ workOrderNumber: own.workOrderNumber }]);
    expect((await undo(importId)).rows).toHaveLength(1_001);
  });

  test('goes to a person with a second factor only, and is recorded and limited as exports are', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const importId = await take([{ ...row, amount: '500.00' }]);
    const franchiseId = Number(row.franchiseId);
    const clerk = await makeSignedIn(portal, { role: 'clerk', franchiseIds: [franchiseId] });
    const path = `/imports/${importId}/undo.csv`;
    const acts = async () => {
      const { rows } = await portal.deps.db.query.execute(sql`
        SELECT actor, subject, franchise_id AS franchise, detail FROM audit_event WHERE action = 'export-undo-file'
           AND franchise_id = ${franchiseId}`);
      return rows;
    };
    const unconfirmed = await callConsole(portal, 'GET', path, { cookie: clerk.cookie });
    expect(refusalOf(unconfirmed)).toEqual([403, 'StepUpRequired']);
    expect(await acts()).toEqual([]);
    const confirmed = await callConfirmed(portal, clerk, 'GET', path);
    expect([confirmed.statusCode, parse<Row>(confirmed.body, { columns: true })]).toEqual([200, [row]]);
    expect(await acts()).toEqual([
      {
        actor: clerk.person.email,
        subject: `undo-${importId}.csv`,
        franchise: franchiseId,
        detail: { rows: 1, filters: { importId } },
      },
    ]);
    const key = await makeOfficeKey(portal, row.franchiseId);
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) statuses.push((await get(path, key)).statusCode);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    expect(await acts()).toHaveLength(11);
  });

  test('leaves out what changed again since, and counts it', async () => {
    const [row, next] = [officeRow(), officeRow()];
    await importRows(portal, [row, next]);
    const importId = await take([row, next].map((each) => ({ ...each, amount: '500.00' })));
    await importRows(portal, [{ ...row, amount: '501.00' }]);
    expect((await found(importId)).undo).toEqual({ rows: 1, leftOut: 1 });
    expect((await undo(importId)).rows).toEqual([next]);
  });

  test('keeps a column as it is that did not exist yet when the file was imported', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const importId = await take([{ ...row, amount: '500.00' }]);
    await portal.deps.db.query.execute(sql`
      UPDATE office_import_change SET before = before - '{service,tax_cents}'::text[], after = after - '{service,tax_cents}'::text[]
       WHERE import_id = ${importId}`);
    expect((await found(importId)).changes).toMatchObject([
      { fields: [{ field: 'amount', before: 108.25, after: 500 }] },
    ]);
    expect((await found(importId)).undo).toEqual({ rows: 1, leftOut: 0 });
    expect((await undo(importId)).rows).toEqual([row]);
  });

  test('is offered for 90 days', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const importId = await take([{ ...row, amount: '500.00' }]);
    const pass = async (days: number) => {
      await portal.deps.db.query.execute(sql`
        UPDATE office_import SET ended_at = ended_at - make_interval(days => ${days}) WHERE id = ${importId}`);
      await portal.deps.db.query.execute(sql`
        UPDATE office_import_change SET at = at - make_interval(days => ${days}) WHERE import_id = ${importId}`);
      await forgetOld(portal.deps);
    };
    await pass(89);
    expect((await found(importId)).undo).toEqual({ rows: 1, leftOut: 0 });
    expect((await undo(importId)).rows).toEqual([row]);
    await pass(2);
    expect((await found(importId)).undo).toBeNull();
    expect((await get(`/imports/${importId}/undo.csv`)).statusCode).toBe(404);
    const { rows } = await portal.deps.db.query.execute(sql`
      SELECT FROM office_import_change WHERE import_id = ${importId}`);
    expect(rows).toEqual([]);
  });

  test('does not give a place away through an old invoice of a former occupant', async () => {
    const old = officeRow();
    const own = { ...old, workOrderNumber: '5', customerNumber: '5', customerName: 'New' };
    await importRows(portal, [old]);
    await importRows(portal, [old, own]);
    const importId = await take([{ ...old, amount: '500.00' }, own]);
    const { file } = await undo(importId);
    await send('/import', file);
    const [first, second] = await rowsOf(old.franchiseId);
    expect([first?.customer_name, second?.customer_name].toSorted()).toEqual(
      ['New', old.customerName].toSorted(),
    );
    const { rows } = await portal.deps.db.query.execute(sql`
      SELECT c.number FROM location l JOIN customer c ON c.id = l.customer_id
       WHERE l.franchise_id = ${Number(old.franchiseId)}`);
    expect(rows).toEqual([{ number: 5 }]);
  });

  /** The number of the customer whose the office's only place is. */
  async function ownerOf({ franchiseId }: Row) {
    const { rows } = await portal.deps.db.query.execute<{ number: number }>(sql`
      SELECT c.number FROM location l JOIN customer c ON c.id = l.customer_id WHERE l.franchise_id = ${Number(franchiseId)}`);
    return rows.map(({ number }) => String(number));
  }
  /** Imports the rows and then their undo file, which must bring back all rows that there were. */
  async function takeBack(rows: Row[]) {
    const franchiseId = rows[0]?.franchiseId ?? '';
    const before = await rowsOf(franchiseId);
    const { file } = await undo(await take(rows));
    const answer = await send('/import', file);
    expect(answer.statusCode, answer.body).toBe(200);
    const known = new Set(before.map((row) => row.work_order_number));
    const after = await rowsOf(franchiseId);
    expect(after.filter((row) => known.has(row.work_order_number))).toEqual(before);
    expect(await hiddenFromOwner(franchiseId)).toEqual([]);
  }
  const ofNext = { customerNumber: '5', customerName: 'New', description: 'Jones' };

  test.each([
    ['a new invoice', (old: Row) => [{ ...old, workOrderNumber: '5', ...ofNext }]],
    [
      'a new invoice, beside one that the customer keeps',
      (old: Row) => [
        { ...old, description: 'Jones' },
        { ...old, workOrderNumber: '5', ...ofNext },
      ],
    ],
    [
      'an invoice given to the next, beside one that the customer keeps',
      (old: Row) => [
        { ...old, description: 'Jones' },
        { ...old, workOrderNumber: '2', ...ofNext },
      ],
    ],
  ])('gives a place back that changed hands by %s', async (_how, file) => {
    const old = officeRow();
    await importRows(portal, [old, { ...old, workOrderNumber: '2' }, { ...old, workOrderNumber: '3' }]);
    await takeBack(file(old));
    expect(await ownerOf(old)).toEqual([old.customerNumber]);
  });

  test('gives a place back that changed hands by an invoice which the next customer had there before', async () => {
    const old = officeRow();
    const left = { ...old, workOrderNumber: '5', ...ofNext, description: old.description };
    await importRows(portal, [left, old]);
    const importId = await take([left]);
    expect([await ownerOf(old), (await found(importId)).changes]).toEqual([['5'], []]);
    const history = async () => (await get(`/invoices/${old.franchiseId}/5`)).json().history;
    expect(await history()).toEqual([]);
    await send('/import', (await undo(importId)).file);
    expect([await ownerOf(old), await hiddenFromOwner(old.franchiseId)]).toEqual([[old.customerNumber], []]);
    // The row that names the owner again doesn't name what else the import said of the place.
    await takeBack([{ ...left, description: 'Jones' }]);
    expect(await ownerOf(old)).toEqual([old.customerNumber]);
  });

  test('gives a place back that an import moved before changes kept whose it was', async () => {
    const old = officeRow();
    await importRows(portal, [old]);
    const importId = await take([
      { ...old, description: 'Jones' },
      { ...old, workOrderNumber: '5', ...ofNext },
    ]);
    await portal.deps.db.query.execute(sql`
      UPDATE office_import_change SET before = before - 'owner_number', after = after - 'owner_number'
       WHERE import_id = ${importId}`);
    const { file } = await undo(importId);
    expect((await send('/import', file)).statusCode).toBe(200);
    expect(await ownerOf(old)).toEqual([old.customerNumber]);
  });

  test('leaves a place with its customer when it gives an invoice back to a former one', async () => {
    const old = officeRow();
    const [left, own] = [old, { ...old, workOrderNumber: '5', ...ofNext }];
    await importRows(portal, [left, own]);
    await takeBack([{ ...left, ...ofNext }]);
    expect(await ownerOf(old)).toEqual(['5']);
  });

  describe.each([
    ['an invoice', (own: Row) => own],
    ['a new invoice', (own: Row) => ({ ...own, workOrderNumber: '9' })],
  ])('of a file in which %s has a wrong number', (_what, invoiceOf) => {
    const setOut = async () => {
      const own = officeRow({ customerNumber: '5', customerName: 'Nora', customerEmail: 'nora@example.com' });
      const elsewhere = officeRow({
        franchiseId: own.franchiseId,
        customerNumber: '6',
        customerName: 'Paul',
        customerEmail: 'paul@example.com',
        city: 'Shelbyville',
      });
      await importRows(portal, [own, elsewhere]);
      return { row: invoiceOf(own), elsewhere };
    };
    /** Checks that the import's check and its record both show this of the invoice that the file doesn't mention. */
    const expectShown = async (row: Row, elsewhere: Row, fields: object[]) => {
      const importId = randomUUID();
      const checked = (await send(`/import/preview?importId=${importId}`, [row])).json();
      expect((await send(`/import?importId=${importId}`, [row])).statusCode).toBe(200);
      const workOrderNumber = Number(elsewhere.workOrderNumber);
      for (const { changes } of [checked, await found(importId)]) {
        expect(changes).toContainEqual({
          line: null,
          kind: 'updated',
          franchiseId: Number(row.franchiseId),
          workOrderNumber,
          fields,
        });
      }
    };

    test('gives the customer who was renamed by it the former name and email', async () => {
      const { row } = await setOut();
      await takeBack([{ ...row, customerNumber: '6' }]);
    });

    test('shows the renaming', async () => {
      const { row, elsewhere } = await setOut();
      await expectShown({ ...row, customerNumber: '6' }, elsewhere, [
        { field: 'customerName', before: 'Paul', after: 'Nora' },
        { field: 'customerEmail', before: 'paul@example.com', after: 'nora@example.com' },
      ]);
    });

    test('gives the place that was moved by it back', async () => {
      const { row, elsewhere } = await setOut();
      await takeBack([{ ...row, locationId: elsewhere.locationId }]);
      const { rows } = await portal.deps.db.query.execute(sql`
        SELECT c.number, l.city FROM location l JOIN customer c ON c.id = l.customer_id
         WHERE l.franchise_id = ${Number(row.franchiseId)} ORDER BY c.number`);
      expect(rows).toEqual([
        { number: 5, city: 'Springfield' },
        { number: 6, city: 'Shelbyville' },
      ]);
    });

    test('shows the move', async () => {
      const { row, elsewhere } = await setOut();
      await expectShown({ ...row, locationId: elsewhere.locationId }, elsewhere, [
        { field: 'city', before: 'Shelbyville', after: 'Springfield' },
      ]);
    });

    test('leaves the customer alone who was renamed again since', async () => {
      const { row, elsewhere } = await setOut();
      const importId = await take([{ ...row, customerNumber: '6' }]);
      await importRows(portal, [{ ...elsewhere, customerName: 'Pauline' }]);
      await send('/import', (await undo(importId)).file);
      expect(await rowsOf(row.franchiseId)).toContainEqual(
        expect.objectContaining({ customer_number: 6, customer_name: 'Pauline' }),
      );
    });
  });

  test('does not give a place away to restore the name of a customer who left it', async () => {
    const old = officeRow();
    const own = { ...old, workOrderNumber: '5', ...ofNext };
    const moved = { ...own, locationId: '7' };
    for (const row of [old, own, moved]) await importRows(portal, [row]);
    const wrong = { ...moved, customerNumber: old.customerNumber, workOrderNumber: '9' };
    await send('/import', (await undo(await take([wrong]))).file);
    expect(await ownerOf(old)).toEqual(['5', '5']);
  });

  /** Files that don't contradict themselves: each customer and place is the same throughout a file. They leave half out. */
  const makeFile = (random: SeededRandom, franchiseId: string): Row[] => {
    const of = <Value>(make: () => Value) => Array.from({ length: 5 }, make);
    const customers = of(() => `Name ${random.integer(4)}`);
    const cities = of(() => `City ${random.integer(4)}`);
    const owners = of(() => random.integer(5));
    const franchiseName = random.integer(4) === 0 ? 'Clearer View' : 'Clear View';
    return Array.from({ length: 10 }, (_, index) => index)
      .filter(() => random.integer(4) > 1)
      .map((index) => {
        const place = random.integer(5);
        const owner = owners[place] ?? 0;
        return officeRow({
          franchiseId,
          franchiseName,
          workOrderNumber: String(index + 1),
          locationId: String(place + 1),
          city: cities[place] ?? '',
          customerNumber: String(owner + 1),
          customerName: customers[owner] ?? '',
          amount: `${random.integer(3) + 10}.00`,
          salesTaxAmount: '1.00',
          paidElsewhere: `${random.integer(3)}.00`,
          dueDate: random.pick(['', '2026-12-01']),
        });
      });
  };

  test.each(Array.from({ length: 10 }, (_, seed) => seed))('undoes a file of seed %i', async (seed) => {
    const random = seededRandom(seed);
    const { franchiseId } = officeRow();
    await importRows(portal, makeFile(random, franchiseId));
    for (let round = 0; round < 3; round++) {
      const before = await rowsOf(franchiseId);
      const importId = await take(makeFile(random, franchiseId));
      const { leftOut } = (await found(importId)).undo;
      expect(leftOut).toBe(0);
      expect(await hiddenFromOwner(franchiseId)).toEqual([]);
      expect((await send('/import', (await undo(importId)).file)).statusCode).toBe(200);
      expect(await hiddenFromOwner(franchiseId)).toEqual([]);
      const known = new Set(before.map((row) => row.work_order_number));
      const after = await rowsOf(franchiseId);
      expect(after.filter((row) => known.has(row.work_order_number))).toEqual(before);
      for (const made of after.filter((row) => !known.has(row.work_order_number))) {
        expect(made).toMatchObject({ amount_cents: 0, tax_cents: 0, paid_elsewhere_cents: 0 });
      }
    }
  });
});
