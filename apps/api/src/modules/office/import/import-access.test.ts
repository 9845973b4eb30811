import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeOfficeKey } from '../../../../test/factories/office-keys.ts';
import { callOffice, importRows, officeRow, type Row, toCsv } from '../../../../test/office/office.ts';
import {
  callConfirmed,
  callConsole,
  consoleHeaders,
  makeSignedIn,
  OFFICE_SETTINGS,
  refusalOf,
  signInStaff,
  type TestPerson,
} from '../../../../test/office/office-people.ts';

const portal = useTestApp(OFFICE_SETTINGS);
const csv = { 'content-type': 'text/csv' };

type Who = { cookie: string; person: TestPerson };

let admin: Who;
beforeAll(async () => {
  admin = await makeSignedIn(portal);
});

const changed = (row: Row): Row => ({ ...row, paidElsewhere: '108.25' });
const check = (rows: Row[], { cookie }: { cookie: string }, importId: string = randomUUID()) =>
  callConsole(portal, 'POST', `/import/preview?importId=${importId}`, {
    cookie,
    body: toCsv(rows),
    headers: csv,
  });
const change = (who: Who, body: object) =>
  callConfirmed(portal, admin, 'PUT', `/staff/${who.person.staffId}`, body);

/** Sends a file whose end arrives when `meanwhile` is done. */
async function sendDuring(
  rows: Row[],
  given: { path: string; headers: Record<string, string> },
  meanwhile: () => Promise<unknown>,
) {
  const text = toCsv(rows);
  const gate = Promise.withResolvers<void>();
  const body = Readable.from(
    (async function* () {
      yield Buffer.from(text.slice(0, 40));
      await gate.promise;
      yield Buffer.from(text.slice(40));
    })(),
  );
  const { path, headers } = given;
  const sending = portal.app.inject({
    method: 'POST',
    url: `/api/office${path}`,
    headers: { ...headers, ...csv },
    payload: body,
  });
  // An injected call is only sent once somebody waits for it.
  const answer = Promise.resolve(sending);
  await untilStaging();
  await meanwhile();
  gate.resolve();
  return answer;
}

/** Sends a checked file as a person does, whose end arrives when `meanwhile` is done. */
async function importDuring(rows: Row[], who: Who, meanwhile: () => Promise<unknown>) {
  const importId = randomUUID();
  expect((await check(rows, who, importId)).statusCode).toBe(200);
  const path = `/import?importId=${importId}`;
  return sendDuring(rows, { path, headers: consoleHeaders({ cookie: who.cookie }) }, meanwhile);
}

/** Waits until a file's rows are being read, and so its sender's scope was. */
async function untilStaging(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rowCount } = await portal.deps.db.query.execute(sql`
          SELECT FROM pg_stat_activity WHERE datname = current_database()
             AND application_name = 'brightpane import' AND query LIKE 'COPY import_row%'`);
        return rowCount;
      },
      { interval: 10 },
    )
    .toBe(1);
}

/** What an import of these rows changes, and what it leaves in the audit. */
async function stored(rows: Row[]) {
  const ids = sql.param(rows.map(({ franchiseId }) => Number(franchiseId)));
  const read = await portal.deps.db.query.execute(sql`
    SELECT (SELECT json_agg(f ORDER BY f.id) FROM franchise f WHERE f.id = ANY(${ids}::integer[])) AS franchises,
           (SELECT json_agg(i ORDER BY i.id) FROM invoice i WHERE i.franchise_id = ANY(${ids}::integer[])) AS invoices,
           (SELECT count(*) FROM audit_event WHERE action = 'import') AS imports`);
  return read.rows[0];
}

const CHANGED = {
  status: 403,
  detail: 'Your access was changed while this file was being read. Nothing was imported.',
};

test('a check says nothing more once its sender has lost one of its offices', async () => {
  const rows = [officeRow(), officeRow()];
  await importRows(portal, rows);
  const clerk = await signedIn('clerk', rows);
  const importId = randomUUID();
  const isNew = officeRow({ franchiseId: rows[1]?.franchiseId ?? '' });
  expect((await check([...rows.map(changed), isNew], clerk, importId)).statusCode).toBe(200);
  const read = async (who: { cookie: string }) =>
    (await callConsole(portal, 'GET', `/imports/${importId}`, who)).json();
  expect(await read(clerk)).toMatchObject({ created: 1, updated: 2, franchises: [{}, {}] });
  expect((await change(clerk, { franchiseIds: franchisesOf(rows.slice(0, 1)) })).statusCode).toBe(200);
  expect(await read({ cookie: await signInStaff(portal, clerk.person) })).toMatchObject({
    state: 'checked',
    created: 0,
    updated: 0,
    unchanged: 0,
    overpaid: [],
    franchises: [],
    changes: [],
  });
});

test('a check of a new office is its sender’s to read', async () => {
  const importId = randomUUID();
  expect((await check([officeRow()], admin, importId)).statusCode).toBe(200);
  const read = await callConsole(portal, 'GET', `/imports/${importId}`, admin);
  expect(read.json()).toMatchObject({ created: 1, franchises: [{ created: 1 }] });
});

describe('a file that is still arriving', () => {
  const senders: [
    what: string,
    given: (rows: Row[]) => Promise<Who>,
    lose: (who: Who, rows: Row[]) => object,
  ][] = [
    ['a clerk who is switched off', (rows) => signedIn('clerk', rows), () => ({ active: false })],
    [
      'an owner who becomes viewer of one franchise',
      (rows) => signedIn('owner', rows),
      (_who, rows) => ({ role: 'viewer', franchiseIds: franchisesOf(rows.slice(0, 1)) }),
    ],
    [
      'an owner from whom a franchise is taken',
      (rows) => signedIn('owner', rows),
      (_who, rows) => ({ franchiseIds: franchisesOf(rows.slice(0, 1)) }),
    ],
    ['an owner who becomes a clerk', (rows) => signedIn('owner', rows), () => ({ role: 'clerk' })],
    ['an admin who is switched off', () => makeSignedIn(portal), () => ({ active: false })],
    ['an admin who becomes support', () => makeSignedIn(portal), () => ({ role: 'support' })],
  ];

  test.each(senders)('of %s is not imported', async (_what, given, lose) => {
    const known = [officeRow(), officeRow()];
    await importRows(portal, known);
    const who = await given(known);
    const mayBeNew = who.person.role === 'admin' ? [officeRow()] : [];
    const rows = [...known.map(changed), ...mayBeNew];
    const before = await stored(rows);
    const answer = await importDuring(rows, who, async () => {
      expect((await change(who, lose(who, known))).statusCode).toBe(200);
    });
    expect(answer.json()).toMatchObject(CHANGED);
    expect(refusalOf(answer)).toEqual([403, 'AccessChanged']);
    expect(await stored(rows)).toEqual(before);
  });

  test('of new franchises only, from an admin who is switched off, is not imported', async () => {
    const rows = [officeRow()];
    const who = await makeSignedIn(portal);
    const before = await stored(rows);
    const answer = await importDuring(rows, who, () => change(who, { active: false }));
    expect(answer.json()).toMatchObject(CHANGED);
    expect(await stored(rows)).toEqual(before);
  });

  test.each([
    ['one office', (row: Row) => Number(row.franchiseId)],
    ['all offices', () => null],
  ])('of a key of %s that is revoked is not imported', async (_what, franchiseOf) => {
    const row = officeRow();
    await importRows(portal, [row]);
    const before = await stored([row]);
    const key = await makeOfficeKey(portal, { franchiseId: franchiseOf(row), rights: ['import'] });
    const answer = await sendDuring(
      [changed(row)],
      { path: '/import', headers: { authorization: `Bearer ${key}` } },
      async () => {
        const { rows } = await portal.deps.db.query.execute<{ id: string }>(
          sql`SELECT id FROM office_api_key WHERE public_id = ${key.split('_')[1]}`,
        );
        expect((await callConfirmed(portal, admin, 'DELETE', `/api-keys/${rows[0]?.id}`)).statusCode).toBe(
          204,
        );
      },
    );
    expect(answer.json()).toMatchObject(CHANGED);
    expect(await stored([row])).toEqual(before);
  });

  test('of somebody who signs out is imported, with its new franchises', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const who = await makeSignedIn(portal);
    const answer = await importDuring([changed(row), officeRow()], who, async () => {
      expect((await callConsole(portal, 'DELETE', '/session', who)).statusCode).toBe(204);
    });
    expect(answer.json()).toEqual({ created: 1, updated: 1, unchanged: 0 });
  });

  test('of a clerk leaves the name and the zone that headquarters give the office meanwhile', async () => {
    const row = officeRow();
    await importRows(portal, [row]);
    const clerk = await signedIn('clerk', [row]);
    const given = { name: 'Clear View North', timeZone: 'America/Denver' };
    const rows = [changed(row), officeRow({ ...row, workOrderNumber: '7' })];
    const answer = await importDuring(rows, clerk, async () => {
      const renamed = await callOffice(portal, 'PUT', `/franchises/${row.franchiseId}`, { body: given });
      expect(renamed.statusCode, renamed.body).toBe(200);
    });
    expect(answer.json()).toEqual({ created: 1, updated: 1, unchanged: 0 });
    const found = await portal.deps.db.query.execute(sql`
      SELECT name, time_zone AS "timeZone" FROM franchise WHERE id = ${Number(row.franchiseId)}`);
    expect(found.rows).toEqual([given]);
  });

  test('of somebody who lost a franchise is not checked against what is stored there', async () => {
    const rows = [officeRow(), officeRow()];
    await importRows(portal, rows);
    const who = await signedIn('owner', rows);
    const path = `/import/preview?importId=${randomUUID()}`;
    const answer = await sendDuring(rows, { path, headers: consoleHeaders({ cookie: who.cookie }) }, () =>
      change(who, { franchiseIds: franchisesOf(rows.slice(0, 1)) }),
    );
    expect(answer.json()).toMatchObject(CHANGED);
  });
});

const franchisesOf = (rows: Row[]) => rows.map(({ franchiseId }) => Number(franchiseId));

function signedIn(role: 'owner' | 'clerk', rows: Row[]): Promise<Who> {
  return makeSignedIn(portal, { role, franchiseIds: franchisesOf(rows) });
}
