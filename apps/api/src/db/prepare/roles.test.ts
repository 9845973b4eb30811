import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBooksBalanced } from '../../../test/books/compare-ledgers.ts';
import { sweep } from '../../../test/books/sweep.ts';
import { call, type TestApp, testEnv } from '../../../test/build-test-app.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../../test/database/postgres.ts';
import { useEmulator } from '../../../test/emulator.ts';
import { gatewaySettings, guestSale, payAsGuest } from '../../../test/factories/payments/payments.ts';
import { addCard, portalSale } from '../../../test/factories/unpaid-invoices.ts';
import { makeUser, TEST_PASSWORD } from '../../../test/factories/users.ts';
import { callOffice, importRows, officeRow } from '../../../test/office/office.ts';
import { buildApp } from '../../app.ts';
import { forgetOld } from '../../jobs/forget-old.ts';
import { openLanes } from '../../jobs/lanes/open-lanes.ts';
import { openJobDatabases } from '../../jobs/run-jobs.ts';
import { SCHEDULE } from '../../jobs/schedule.ts';
import { TASK_NAMES } from '../../jobs/task-names.ts';
import { systemTimers } from '../../jobs/timers.ts';
import { checkBooks } from '../../modules/payments/books/check-books.ts';
import { compareBooks } from '../../modules/payments/books/compare-books.ts';
import { moveRefund } from '../../modules/payments/refunds/moves/refund-moves.queries.ts';
import { REFUND_TRANSITIONS } from '../../modules/payments/refunds/moves/refund-transitions.ts';
import { compareAfterRestore } from '../../modules/payments/restore/compare-after-restore.ts';
import { openDeps } from '../../open-deps.ts';
import { APP_RIGHTS, HIDDEN_COLUMNS } from './app-rights.ts';
import { prepareDatabase } from './prepare-database.ts';

const PASSWORD = 'only for this test';
const prefix = `brightpane_test_${randomBytes(4).toString('hex')}`;
const roles = { app: `${prefix}_app`, reader: `${prefix}_reader` };
const emulator = useEmulator();

/** The portal on a database that its role doesn't own. */
const portal = { now: new Date('2026-11-15T18:00:00Z') } as TestApp;
let database: TestDatabase;
let owner: pg.Client;
let app: pg.Client;
let reader: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await connect(database.url);
  for (const role of Object.values(roles))
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
  const env = testEnv({
    DATABASE_URL: urlOf(roles.app),
    MIGRATION_DATABASE_URL: database.url,
    DATABASE_READER: roles.reader,
    ...gatewaySettings(emulator, await emulator.merchant('portal')),
  });
  // Two instances start at once; a later one finds everything done.
  await Promise.all([prepareDatabase(env), prepareDatabase(env)]);
  await prepareDatabase(env);
  portal.deps = await openDeps(env, { clock: () => portal.now });
  portal.app = await buildApp(portal.deps);
  [app, reader] = [await connect(urlOf(roles.app)), await connect(urlOf(roles.reader))];
});

afterAll(async () => {
  await portal.app.close();
  await portal.deps.db.close();
  for (const client of [app, reader]) await client.end();
  for (const role of Object.values(roles)) await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await owner.end();
  await database.drop();
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

function urlOf(role: string): string {
  const url = new URL(database.url);
  url.username = role;
  url.password = PASSWORD;
  return url.href;
}

test('the portal takes, books and compares payments under a role that owns nothing', async () => {
  const rows = [officeRow(), officeRow()];
  expect((await importRows(portal, rows)).json()).toMatchObject({ created: 2 });
  expect((await importRows(portal, rows)).json()).toMatchObject({ unchanged: 2 });
  expect((await importRows(portal, [{ ...rows[0], dueDate: '2026-12-24' } as never])).json()).toMatchObject({
    updated: 1,
  });
  const [guests, own] = rows.map((row) => ({
    franchiseId: Number(row.franchiseId),
    workOrderNumber: Number(row.workOrderNumber),
    zipCode: row.zipCode,
  }));
  if (!guests || !own) throw new Error('two invoices were imported');

  expect((await call(portal, 'POST', '/user/invoice/search', { body: guests })).statusCode).toBe(200);
  expect((await payAsGuest(portal, await guestSale(emulator, guests))).statusCode).toBe(200);
  await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });

  const { email } = await makeUser(portal);
  const body = { email, password: TEST_PASSWORD };
  for (const password of ['wrong', TEST_PASSWORD]) {
    await call(portal, 'POST', '/authentication/login', { body: { ...body, password } });
  }
  const signedIn = await call(portal, 'POST', '/authentication/login', { body });
  const { accessToken: token, refreshToken } = signedIn.json<{ accessToken: string; refreshToken: string }>();
  expect((await call(portal, 'POST', '/authentication/refresh', { body: { refreshToken } })).statusCode).toBe(
    200,
  );
  expect((await call(portal, 'POST', '/user/location', { token, body: own })).statusCode).toBe(204);
  await call(portal, 'POST', `/user/resetpassword?email=${email}`, { body: {} });
  const invited = await callOffice(portal, 'POST', '/invitations', {
    body: { franchiseId: own.franchiseId, customerNumber: rows[1]?.customerNumber, email },
  });
  expect(invited.statusCode).toBe(201);
  expect((await call(portal, 'POST', '/user/invitations', { token })).statusCode).toBe(204);

  // The card with the lost answer isn't added; the next one is added, pays and is deleted.
  await expect(addCard(portal, emulator, { token })).rejects.toThrow('503');
  const paymentMethodId = await addCard(portal, emulator, { token });
  const sale = portalSale([own], { paymentMethodId });
  expect((await call(portal, 'POST', '/usaepay/customerportalsale', { token, body: sale })).statusCode).toBe(
    200,
  );
  expect(
    (await call(portal, 'DELETE', `/usaepay/portal/paymentmethods/${paymentMethodId}`, { token })).statusCode,
  ).toBe(204);

  await sweep(portal.deps);
  await owner.query(`INSERT INTO engine_clock (ahead) VALUES (interval '1 hour')`);
  await sweep(portal.deps);
  await owner.query(`UPDATE engine_clock SET ahead = interval '2 hours'`);
  await sweep(portal.deps);
  await checkBooks(portal.deps);
  expect(await compareBooks(portal.deps)).toMatchObject({ isComplete: true, differences: [] });
  expect((await callOffice(portal, 'POST', '/restored', { body: {} })).statusCode).toBe(200);
  await compareAfterRestore(portal.deps);
  await forgetOld(portal.deps);
  expect((await callOffice(portal, 'GET', '/status')).json()).toMatchObject({
    payments: { isClosed: false, found: 0 },
  });
  await expectBooksBalanced(portal.deps, emulator);
});

test('a comparison stores what it finds under that role too, and what it finds of it later', async () => {
  const creditcard = { number: '4000100011112224', expiration: '1230', cvc: '123' };
  const sale = { command: 'sale', amount: '5.00', orderid: 'by-hand', creditcard };
  await emulator.callAs('portal', 'POST', '/transactions', sale);
  for (const hours of [3, 4]) {
    await owner.query(`UPDATE engine_clock SET ahead = make_interval(hours => ${hours})`);
    const { isComplete, differences } = await compareBooks(portal.deps);
    expect([isComplete, differences]).toMatchObject([true, [{ kind: 'not-in-our-books', amount: '5.00' }]]);
  }
  const { rows } = await owner.query('SELECT kind, amount_cents::integer AS cents FROM book_difference');
  expect(rows).toEqual([{ kind: 'not-in-our-books', cents: 500 }]);
});

test('the background tasks run under that role too', async () => {
  // A day later every task is due.
  await owner.query(`UPDATE engine_clock SET ahead = interval '26 hours'`);
  const { others, money, close } = openJobDatabases(portal.deps);
  const lanes = openLanes({ money, others }, systemTimers);
  for (const name of TASK_NAMES) await lanes.look(name);
  await lanes.stop();
  await close();
  const metrics = await portal.deps.metrics.registry.metrics();
  expect(metrics).not.toMatch(/portal_tasks_total\{.*result="failed".*\} [1-9]/);
  for (const name of Object.keys(SCHEDULE)) {
    expect(metrics).toContain(`portal_tasks_total{task="${name}",result="done"} 1`);
  }
});

const REFUSED = '42501';
const codeOf = (client: pg.Client, statement: string) =>
  client.query(statement).then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

describe('the portal’s role', () => {
  test.each([
    'ledger_entry',
    'charge',
    'payment_intent',
    'charge_allocation',
    'invoice_claim',
    'invoice',
    'merchant_account',
    'audit_event',
    'app_user',
  ])('cannot delete rows of %s', async (table) => {
    expect(await codeOf(app, `DELETE FROM ${table}`)).toBe(REFUSED);
    expect(await codeOf(app, `TRUNCATE ${table} CASCADE`)).toBe(REFUSED);
  });

  test('may store an answer as the first release does, which runs beside this one during an update', async () => {
    const statement = `UPDATE payment_intent SET state = state, decided_at = decided_at, response_status = 200, response_body = '{}'`;
    expect(await codeOf(app, `${statement} WHERE false`)).toBe('done');
  });

  test.each(Object.entries(REFUND_TRANSITIONS))(
    'may make each move of a refund: %s',
    async (_event, transition) => {
      // Rights are checked even if there is no row.
      const target = { refundId: randomUUID() };
      expect(await moveRefund(portal.deps.db.query, target, { transition })).toBeUndefined();
    },
  );

  test.each([
    'UPDATE ledger_entry SET amount_cents = 1',
    'UPDATE charge SET amount_cents = 1',
    `UPDATE charge SET order_id = 'another'`,
    'UPDATE charge_allocation SET tip_cents = 1',
    `UPDATE payment_intent SET idem_key = 'another'`,
    'UPDATE invoice SET paid_cents = 1',
    'UPDATE invoice SET version = 1',
    'UPDATE found_payment SET amount_cents = 1',
    `UPDATE deployment SET order_prefix = 'aaaaaa'`,
    `UPDATE audit_event SET actor = 'nobody'`,
    `INSERT INTO engine_clock (ahead) VALUES ('1 day')`,
  ])('cannot rewrite what happened: %s', async (statement) => {
    expect(await codeOf(app, statement)).toBe(REFUSED);
  });

  test.each([
    'CREATE TABLE extra (id integer)',
    'DROP TABLE ledger_entry',
    'ALTER TABLE ledger_entry DISABLE TRIGGER ALL',
    'DROP TRIGGER ledger_is_append_only ON ledger_entry',
    'CREATE OR REPLACE FUNCTION sum_payments() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    'ALTER TABLE charge DROP COLUMN amount_cents',
    'CREATE OR REPLACE VIEW invariant_violations AS SELECT 1',
    'CREATE SCHEMA extra',
    'DROP INDEX one_live_claim',
  ])('cannot change the schema: %s', async (statement) => {
    expect(await codeOf(app, statement)).toBe(REFUSED);
  });
});

test('the reader can end no account', async () => {
  for (const call of ['remove_unconfirmed_users(now())', `remove_unconfirmed_user('a@example.com')`]) {
    expect(await codeOf(reader, `SELECT ${call}`)).toBe(REFUSED);
    expect(await codeOf(app, `SELECT ${call}`)).toBe('done');
  }
});

test('the reader can read the books, but no secrets, and writes nothing', async () => {
  expect(await codeOf(reader, 'SELECT amount_cents, state FROM charge')).toBe('done');
  expect(await codeOf(reader, 'SELECT email FROM app_user')).toBe('done');
  for (const [table, columns] of Object.entries(HIDDEN_COLUMNS)) {
    for (const column of columns)
      expect(await codeOf(reader, `SELECT ${column} FROM ${table}`)).toBe(REFUSED);
  }
  expect(await codeOf(reader, `UPDATE charge SET state = 'captured'`)).toBe(REFUSED);
  expect(await codeOf(reader, 'INSERT INTO limit_counter DEFAULT VALUES')).toBe(REFUSED);
});

test('an instance that starts on the database of a newer release takes and gives no right', async () => {
  await owner.query(`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 9999)`);
  await owner.query(`CREATE TABLE later_table (secret text); GRANT SELECT ON later_table TO ${roles.app}`);
  await prepareDatabase(portal.deps.env);
  const read = 'SELECT secret FROM later_table';
  expect([await codeOf(app, read), await codeOf(reader, read)]).toEqual(['done', REFUSED]);

  await owner.query(`DELETE FROM drizzle.__drizzle_migrations WHERE created_at = 9999`);
  await prepareDatabase(portal.deps.env);
  expect([await codeOf(app, read), await codeOf(reader, read)]).toEqual([REFUSED, 'done']);
  await owner.query('DROP TABLE later_table');
});

describe('dropping the role before a rotation, as the guide says', () => {
  /** As psql sends them: one by one, whether or not the one before failed. */
  async function play(client: pg.Client, names: { brightpane: string; brightpane_owner: string }) {
    const guide = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8');
    const [, statements = ''] = /`([^`]*DROP OWNED BY brightpane;[^`]*)`/.exec(guide) ?? [];
    const said = statements.replace(/\bbrightpane(_owner)?\b/g, (name) => names[name as keyof typeof names]);
    for (const statement of said.split(';')) await client.query(statement).catch(() => undefined);
  }
  const countTables = async (client: pg.Client) =>
    (await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).rowCount;
  const hasRole = async (role: string) =>
    (await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [role])).rowCount === 1;

  test('drops it where another role owns the tables, and keeps these', async () => {
    const { client, role, close } = await openWithRole(await createTestDatabase());
    const tables = await countTables(client);
    const { rows } = await client.query<{ me: string }>('SELECT current_user AS me');
    await play(client, { brightpane: role, brightpane_owner: rows[0]?.me ?? '' });
    expect(await hasRole(role)).toBe(false);
    expect(await countTables(client)).toBe(tables);
    await close();
  });

  test('drops nothing where it owns the tables itself', async () => {
    const { client, role, close } = await openWithRole(await createEmptyDatabase(), { owns: true });
    const tables = await countTables(client);
    expect(tables).toBeGreaterThan(50);
    await play(client, { brightpane: role, brightpane_owner: `${role}_owner` });
    expect(await countTables(client)).toBe(tables);
    await close();
    await owner.query(`DROP ROLE ${role}`);
  });

  async function openWithRole(apart: TestDatabase, { owns = false } = {}) {
    const role = `${prefix}_${owns ? 'owning' : 'apart'}`;
    const name = new URL(apart.url).pathname.slice(1);
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
    if (owns) await owner.query(`ALTER DATABASE ${name} OWNER TO ${role}`);
    const url = new URL(urlOf(role));
    url.pathname = name;
    const env = testEnv({ DATABASE_URL: url.href });
    await prepareDatabase({ ...env, MIGRATION_DATABASE_URL: owns ? undefined : apart.url });
    const client = await connect(apart.url);
    const close = async () => {
      await client.end();
      await apart.drop();
    };
    return { client, role, close };
  }
});

test('every table has rights defined', async () => {
  const { rows } = await owner.query<{ tablename: string }>(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
  );
  expect(Object.keys(APP_RIGHTS).toSorted()).toEqual(rows.map(({ tablename }) => tablename));
});
