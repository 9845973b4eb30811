import { randomUUID } from 'node:crypto';
import { INVOICE_COLUMNS } from '@brightpane/contract/office';
import type { CheckedImport } from '@brightpane/contract/office/imports';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '../../../../../test/build-test-app.ts';
import { callOffice, importRows, officeRow, type Row, toCsv } from '../../../../../test/office/office.ts';
import { type SeededRandom, seededRandom } from '../../../../../test/seeded-random.ts';
import { ADVISORY_LOCKS } from '../../../../db/advisory-locks.ts';

const portal = useTestApp();

const csv = { 'content-type': 'text/csv' };

const send = (path: string, file: string | Buffer) =>
  callOffice(portal, 'POST', path, { body: file, headers: csv });

async function check(rows: Row[], importId: string = randomUUID()): Promise<CheckedImport> {
  const answer = await send(`/import/preview?importId=${importId}`, toCsv(rows));
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** A checksum of everything except the history of imports. */
async function everything() {
  const { rows } = await portal.deps.db.query.execute(sql`
    SELECT (SELECT sum(hashtextextended(f::text, 0)) FROM franchise f) AS franchises,
           (SELECT sum(hashtextextended(c::text, 0)) FROM customer c) AS customers,
           (SELECT sum(hashtextextended(l::text, 0)) FROM location l) AS locations,
           (SELECT sum(hashtextextended(i::text, 0)) FROM invoice i) AS invoices,
           (SELECT sum(hashtextextended(e::text, 0)) FROM ledger_entry e) AS entries,
           (SELECT count(*) FROM audit_event) AS acts,
           (SELECT count(*) FROM office_import_count) AS counts,
           (SELECT count(*) FROM outgoing_mail) AS mails`);
  return rows[0];
}

describe('a check', () => {
  test('says what an import would do, and does none of it', async () => {
    const [known, other] = [officeRow(), officeRow()];
    await importRows(portal, [known, other]);
    const created = { ...known, workOrderNumber: '5', amount: '20.00', salesTaxAmount: '0.00' };
    const rows = [
      { ...known, amount: '120.00', timeZone: 'America/New_York' },
      other,
      { ...created, timeZone: 'America/New_York' },
    ];
    const before = await everything();
    const importId = randomUUID();
    const checked = await check(rows, importId);
    expect(await everything()).toEqual(before);
    const franchiseId = Number(known.franchiseId);
    expect(checked).toEqual({
      importId,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      rows: 3,
      created: 1,
      updated: 1,
      unchanged: 1,
      overpaid: [],
      franchises: [
        {
          franchiseId,
          name: 'Clear View',
          created: 1,
          updated: 1,
          unchanged: 0,
          amountBefore: 108.25,
          amountAfter: 140,
          nameChange: null,
          zoneChange: { before: 'America/Chicago', after: 'America/New_York' },
        },
        expect.objectContaining({ franchiseId: Number(other.franchiseId), unchanged: 1, zoneChange: null }),
      ],
      faultCount: 0,
      faults: [],
      changes: [
        expect.objectContaining({
          line: 4,
          kind: 'created',
          franchiseId,
          workOrderNumber: 5,
          fields: expect.arrayContaining([{ field: 'amount', before: null, after: 20 }]),
        }),
        {
          line: 2,
          kind: 'updated',
          franchiseId,
          workOrderNumber: Number(known.workOrderNumber),
          fields: [
            { field: 'timeZone', before: 'America/Chicago', after: 'America/New_York' },
            { field: 'amount', before: 108.25, after: 120 },
          ],
        },
      ],
    });
  });

  test('names overpaid invoices', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const checked = await check([{ ...row, paidElsewhere: '200.00' }]);
    const invoice = { franchiseId: Number(row.franchiseId), workOrderNumber: Number(row.workOrderNumber) };
    expect(checked.overpaid).toEqual([{ ...invoice, amount: 91.75 }]);
  });

  test('names each fault by line, column, value and rule, and imports nothing', async () => {
    const row = officeRow();
    const importId = randomUUID();
    const checked = await check([row, { ...row, amount: 'x', dueDate: '2026-02-30' }, row], importId);
    expect(checked).toMatchObject({ rows: 3, created: 0, faultCount: 2, changes: [], franchises: [] });
    expect(checked.faults).toEqual([
      { line: 3, column: 'dueDate', value: '2026-02-30', rule: 'must be a date such as 2026-11-30' },
      {
        line: 3,
        column: 'amount',
        value: 'x',
        rule: 'must be dollars such as 108.25, from 0 to 99999999.99',
      },
      { line: 4, column: 'workOrderNumber', value: row.workOrderNumber, rule: 'stands on line 2 already' },
    ]);
    const answer = await send(`/import?importId=${importId}`, toCsv([row]));
    expect([answer.statusCode, answer.json().detail]).toEqual([400, 'Check the file first.']);
  });

  test('names a thousand faults and counts the lines of the rest', async () => {
    const row = officeRow();
    const rows = Array.from({ length: 1_100 }, (_, index) => ({
      ...row,
      workOrderNumber: String(index + 1),
      amount: 'x',
    }));
    const checked = await check(rows);
    expect(checked.faultCount).toBe(1_100);
    expect(checked.faults).toHaveLength(1_000);
  });

  test('says so for a file without a header, and for one that is not CSV', async () => {
    const importId = randomUUID();
    const answer = await send(`/import/preview?importId=${importId}`, 'no,header\n1,2\n');
    expect(answer.json()).toMatchObject({
      faultCount: 1,
      faults: [
        {
          line: 1,
          column: null,
          value: '',
          rule: `the header must be ${INVOICE_COLUMNS.join(',')} (the last may be left out)`,
        },
      ],
    });
  });

  test('needs its own importId, and takes no other parameter', async () => {
    for (const path of [
      '/import/preview',
      '/import/preview?importId=x',
      `/import/preview?importId=${randomUUID()}&x=1`,
    ]) {
      expect((await send(path, toCsv([officeRow()]))).statusCode).toBe(400);
    }
  });
});

describe('an import of what was checked', () => {
  test('imports once, and replays the answer to whoever sends it again', async () => {
    const rows = [officeRow({ paidElsewhere: '200.00' })];
    const importId = randomUUID();
    await check(rows, importId);
    const first = await send(`/import?importId=${importId}`, toCsv(rows));
    expect(first.json()).toMatchObject({
      created: 1,
      updated: 0,
      unchanged: 0,
      overpaid: [{ amount: 91.75 }],
    });
    const before = await everything();
    const second = await send(`/import?importId=${importId}`, toCsv(rows));
    expect([second.statusCode, second.json()]).toEqual([200, first.json()]);
    expect(await everything()).toEqual(before);
    const again = await send(`/import/preview?importId=${importId}`, toCsv(rows));
    expect([again.statusCode, again.json().errors[0].code]).toEqual([409, 'ImportedAlready']);
  });

  test('refuses another file, even by a single byte, and then imports the right one', async () => {
    const row = officeRow();
    const importId = randomUUID();
    await check([row], importId);
    const before = await everything();
    const answer = await send(`/import?importId=${importId}`, toCsv([{ ...row, amount: '108.26' }]));
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      {
        title: 'Conflict',
        status: 409,
        detail: 'This is not the file that was checked.',
        errors: [{ code: 'AnotherFile', description: 'This is not the file that was checked.' }],
      },
    ]);
    expect(await everything()).toEqual(before);
    expect((await send(`/import?importId=${importId}`, toCsv([row]))).json()).toMatchObject({ created: 1 });
    const other = await send(`/import?importId=${importId}`, toCsv([officeRow()]));
    expect([other.statusCode, other.json().errors[0].code]).toEqual([409, 'AnotherFile']);
  });

  test('that is unknown is 404', async () => {
    const answer = await send(`/import?importId=${randomUUID()}`, toCsv([officeRow()]));
    expect([answer.statusCode, answer.json().detail]).toEqual([404, 'This import is not known.']);
  });
});

test('that would wait behind sixty others of its caller is told to retry in a minute', async () => {
  const { pool } = portal.deps.db;
  const held = await pool.connect();
  await held.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.import]);
  const sent = Array.from({ length: 63 }, () => importRows(portal, [officeRow()]));
  // The refused one ends first.
  const refused = await Promise.race(sent);
  await held.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.import]);
  held.release();
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().errors[0].code]).toEqual([
    503,
    '60',
    'Busy',
  ]);
  const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode);
  expect(statuses.toSorted()).toEqual([...Array.from({ length: 62 }, () => 200), 503]);
}, 120_000);

describe('a check counts like the import', () => {
  const CHANGES: ((row: Row, random: SeededRandom) => Row)[] = [
    (row) => row,
    (row) => row,
    (row, random) => ({ ...row, amount: `${random.integer(200) + 20}.00` }),
    (row, random) => ({ ...row, paidElsewhere: `${random.integer(200)}.00` }),
    (row, random) => ({ ...row, customerName: `Name ${random.integer(3)}` }),
    (row, random) => ({ ...row, customerEmail: random.pick(['', 'a@example.com']) }),
    (row, random) => ({ ...row, city: `City ${random.integer(3)}` }),
    (row, random) => ({ ...row, zipCode: random.pick(['02113', '2113', '62704']) }),
    (row, random) => ({ ...row, locationId: String(random.integer(3) + 1) }),
    (row, random) => ({ ...row, customerNumber: String(random.integer(3) + 1) }),
    (row, random) => ({ ...row, dueDate: random.pick(['', '2026-12-01']) }),
    (row, random) => ({
      ...row,
      franchiseName: random.integer(10) === 0 ? 'Clearer View' : row.franchiseName,
    }),
    (row, random) => ({ ...row, tipsEnabled: random.pick(['true', 'false']) }),
  ];

  test.each(Array.from({ length: 12 }, (_, seed) => seed))('file of seed %i', async (seed) => {
    const random = seededRandom(seed);
    const franchises = [officeRow().franchiseId, officeRow().franchiseId];
    const makeFile = () =>
      Array.from({ length: 12 }, (_, index) => index + 1)
        .filter(() => random.integer(4) > 0)
        .map((workOrder) => {
          const base = officeRow({
            franchiseId: random.pick(franchises),
            workOrderNumber: String(workOrder),
            customerNumber: String((workOrder % 3) + 1),
            locationId: String((workOrder % 3) + 1),
          });
          return [1, 2].reduce((row) => random.pick(CHANGES)(row, random), base);
        });
    for (let round = 0; round < 4; round++) {
      const file = makeFile();
      const { created, updated, unchanged, overpaid, franchises: perOffice } = await check(file);
      const answer = (await importRows(portal, file)).json();
      expect({ created, updated, unchanged }).toEqual({
        created: answer.created,
        updated: answer.updated,
        unchanged: answer.unchanged,
      });
      expect(overpaid).toEqual(answer.overpaid ?? []);
      const { rows } = await portal.deps.db.query.execute(sql`
        SELECT franchise_id AS "franchiseId", created, updated, unchanged, amount_before_cents / 100.0 AS before,
               amount_after_cents / 100.0 AS after
          FROM office_import_count
         WHERE import_id = (SELECT id FROM office_import WHERE state = 'applied' ORDER BY started_at DESC, ended_at DESC LIMIT 1)
         ORDER BY franchise_id`);
      expect(rows.map((row) => ({ ...row, before: Number(row.before), after: Number(row.after) }))).toEqual(
        perOffice.map(({ franchiseId, created, updated, unchanged, amountBefore, amountAfter }) => ({
          franchiseId,
          created,
          updated,
          unchanged,
          before: amountBefore,
          after: amountAfter,
        })),
      );
    }
  });
});
