import { setTimeout as wait } from 'node:timers/promises';
import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { type RunningEmulator, startEmulator } from '@brightpane/gateway-emulator/start-emulator';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../../../../../apps/api/src/app.ts';
import {
  ANSWER_MILLISECONDS,
  CONNECT_MILLISECONDS,
  openDatabase,
} from '../../../../../../apps/api/src/db/client.ts';
import { confirmSeen } from '../../../../../../apps/api/src/db/confirm-seen.ts';
import { databaseTrouble } from '../../../../../../apps/api/src/db/database-trouble.ts';
import {
  CHECK_MILLISECONDS,
  COMMIT_MILLISECONDS,
} from '../../../../../../apps/api/src/db/watch-connection.ts';
import { runJobs } from '../../../../../../apps/api/src/jobs/run-jobs.ts';
import { CONFIRM_MILLISECONDS } from '../../../../../../apps/api/src/modules/payments/engine/decide-until-known.ts';
import { watchBooks } from '../../../../../../apps/api/src/modules/payments/restore/watch-books.ts';
import { openDeps } from '../../../../../../apps/api/src/open-deps.ts';
import { advanceEngineClock } from '../../../../../../apps/api/test/books/engine-clock.ts';
import { call, type TestApp, testEnv } from '../../../../../../apps/api/test/build-test-app.ts';
import { ask, execute } from '../../../../../../apps/api/test/database/make-database.ts';
import { type TestEmulator, testEmulator } from '../../../../../../apps/api/test/emulator.ts';
import { gatewaySettings } from '../../../../../../apps/api/test/factories/payments/payments.ts';
import { TEST_PASSWORD } from '../../../../../../apps/api/test/factories/users.ts';
import { asHostile } from '../../../../../../apps/api/test/hostile/hostile-portal.ts';
import type { Victim } from '../../../../../../apps/api/test/hostile/victim.ts';
import { asCustomer, asGuest, makeSharedInvoices, type Press, pressAt } from '../../races/pay.ts';
import { makePeople, type People } from '../../races/people.ts';
import { sweepAndJudge, sweepThroughBacklog } from '../../races/sweep-and-judge.ts';
import { waitUntil } from '../../races/wait-until.ts';
import { type Pair, startPair } from './pair.ts';

/** Every call must be answered within this time, whatever happens to the database. */
const MOST_MILLISECONDS = 10_000;

let pair: Pair;
let emulator: RunningEmulator;
let provider: TestEmulator;
let people: People;
let portal: TestApp;

beforeAll(async () => {
  [pair, emulator] = await Promise.all([startPair(), startEmulator({ delayScale: 0 })]);
  provider = testEmulator(emulator.url);
  const settings = gatewaySettings(provider, await provider.merchant('portal'));
  const deps = await openDeps(testEnv({ DATABASE_URL: pair.url, ...settings }));
  portal = { deps, app: await buildApp(deps), now: new Date() };
  people = await makePeople([portal], { emulator: provider, count: 2 });
});

afterEach(() => pair.wakeStandby());

afterAll(async () => {
  await portal.app.close();
  await portal.deps.db.close();
  await emulator.close();
  await pair.close();
});

const troubleOf = async (work: Promise<unknown>) => databaseTrouble(await work.catch((error) => error));
const ready = async () => (await portal.app.inject('/api/health/ready')).statusCode;

/** Queries the primary directly, not through the portal. */
const onPrimary = <Row extends Record<string, unknown>>(text: string) => ask<Row>(pair.primary.url, text);
const WAITING = `FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
const countWaiting = async () => {
  const [row] = await onPrimary<{ count: number }>(`SELECT count(*)::integer AS count ${WAITING}`);
  return row?.count;
};

const note = (word: string) =>
  portal.deps.db.transaction((tx) => tx.execute(sql`INSERT INTO noted VALUES (${word})`));

type Answers = Record<string, { status: number; retryAfter: unknown }>;

type Name = keyof typeof ENDPOINTS;
/** Run last, because they destroy what the others need. */
const LAST = new Set<Name>([
  'removeLocation',
  'endOtherSessions',
  'refresh',
  'changePassword',
  'closeAccount',
  'logout',
]);
/** The hostile tests send these with a wrong secret; here they get the right one. */
const WITH_SECRET: { [Each in Name]?: (victim: Victim) => Record<string, string> } = {
  ...Object.fromEntries(
    ['login', 'changeEmail', 'changePassword', 'exportData', 'closeAccount'].map((name) => [
      name,
      () => ({ password: TEST_PASSWORD }),
    ]),
  ),
  refresh: ({ refreshToken }) => ({ refreshToken }),
  logout: ({ refreshToken }) => ({ refreshToken }),
};

/** Makes each call in the table once with a valid request. */
async function askAll(victim: Victim): Promise<Answers> {
  const everywhere = asHostile(portal, provider);
  const names = Object.keys(ENDPOINTS) as Name[];
  const answers: Answers = {};
  for (const name of [...names.filter((each) => !LAST.has(each)), ...LAST]) {
    const request = everywhere.goodRequest(name, victim);
    const secret = WITH_SECRET[name]?.(victim);
    if (secret) request.payload = { ...(request.payload as object), ...secret };
    const { statusCode, headers } = await everywhere.send(request);
    answers[name] = { status: statusCode, retryAfter: headers['retry-after'] };
  }
  return answers;
}

const makeVictim = () => asHostile(portal, provider).makeVictim();
const comeBack = { status: 503, retryAfter: expect.stringMatching(/^\d+$/) };

test.each([
  ['a COMMIT, and a look at what became of it', COMMIT_MILLISECONDS + CONFIRM_MILLISECONDS],
  ['a new connection, and whether it leads to a primary', CONNECT_MILLISECONDS + CHECK_MILLISECONDS],
  [
    'a statement with the commit that it is, and a look at who waits',
    ANSWER_MILLISECONDS + CHECK_MILLISECONDS,
  ],
])('%s are waited for for less than ten seconds', (_what, milliseconds) => {
  expect(milliseconds).toBeLessThan(MOST_MILLISECONDS);
});

describe('an address that leads to a standby', () => {
  test('is as good as no database: every call says so and when to come back, until a primary is there', async () => {
    const victim = await makeVictim();
    pair.line.leadTo(Number(new URL(pair.standby.url).port));
    const standby = openDatabase({ url: pair.standby.url, poolSize: 1 });
    expect(await troubleOf(standby.query.execute(sql`SELECT 1`))).toBe('lost');
    await standby.close();
    expect(await ready()).toBe(503);
    const answers = await askAll(victim);
    pair.line.leadTo(Number(new URL(pair.primary.url).port));
    expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((name) => [name, comeBack])));
    expect(await ready()).toBe(200);
  });
});

test('a write that is refused because the server became a standby leaves nobody on that connection', async () => {
  const database = openDatabase({ url: pair.url, poolSize: 1 });
  const pid = async () => (await database.pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
  const before = await pid();
  const refused = database.transaction(async (tx) => {
    await tx.execute(sql`SET TRANSACTION READ ONLY`);
    await tx.execute(sql`CREATE TABLE refused ()`);
  });
  expect(await troubleOf(refused)).toBe('lost');
  expect(await pid()).not.toBe(before);
  await database.close();
});

describe('without a standby', () => {
  beforeAll(() => execute(pair.primary.url, 'CREATE TABLE noted (word text)'));

  test('gives a COMMIT up without canceling it; serves reads, and answers writes in time', async () => {
    const press = await nextPress(0);
    await pair.stopStandby();
    const alone = troubleOf(portal.deps.db.query.execute(sql`INSERT INTO noted VALUES ('alone')`));
    let isAloneOver = false;
    void alone.then(() => {
      isAloneOver = true;
    });
    // A statement has a longer time-out than a COMMIT; both wait for the same standby, and this one gives up first.
    expect([await troubleOf(note('first')), isAloneOver]).toEqual(['lost', false]);
    expect(await countWaiting()).toBe(2);

    expect(await troubleOf(note('second'))).toBe('lost');
    const paying = await pressAt(people, portal, press);
    expect([paying.status, paying.heard]).toEqual([503, 'nothing certain']);
    const [{ token, email }] = people.customers;
    expect((await call(portal, 'GET', '/user/invoice', { token })).statusCode).toBe(200);
    const lookUp = { franchiseId: 1, workOrderNumber: 1, zipCode: '62704' };
    expect((await call(portal, 'POST', '/user/invoice/search', { body: lookUp })).statusCode).toBe(404);
    const signIn = { email, password: TEST_PASSWORD };
    const signedIn = await call(portal, 'POST', '/authentication/login', { body: signIn });
    expect([signedIn.statusCode, signedIn.headers['retry-after']]).toEqual([503, '5']);
    expect(await ready()).toBe(503);
    expect(await alone).toBe('lost');
    // No other server process waits, however many writers came later.
    expect(await countWaiting()).toBe(2);

    pair.wakeStandby();
    await waitUntil(async () => (await ready()) === 200, 'the portal is ready');
    const { rows } = await portal.deps.db.query.execute(sql`SELECT word FROM noted ORDER BY word`);
    expect(rows).toEqual([{ word: 'alone' }, { word: 'first' }]);
    expect((await pressAt(people, portal, press)).heard).toBe('paid');
  });

  test('serves every call that only reads, and tells the others when to retry', async () => {
    // The same calls for two people: one with a standby, the other without.
    const [served, waiting] = [await makeVictim(), await makeVictim()];
    const usual = await askAll(served);
    await pair.stopStandby();
    expect(await troubleOf(note('third'))).toBe('lost');
    const answers = await askAll(waiting);
    const unserved = Object.keys(answers).filter((name) => answers[name]?.status === 503);
    expect(unserved.sort()).toEqual([...NEEDS_A_WRITE].sort());
    const expected = { ...usual, ...Object.fromEntries(NEEDS_A_WRITE.map((name) => [name, comeBack])) };
    expect(answers).toEqual(expected);
    pair.wakeStandby();
    await waitUntil(async () => (await ready()) === 200, 'the portal is ready');
  });

  test('a commit whose wait is canceled stays unknown until the standby has it', async () => {
    const press = await nextPress(0);
    expect((await pressAt(people, portal, press)).heard).toBe('paid');
    await pair.stopStandby();
    const noting = troubleOf(note('canceled'));
    await waitUntil(async () => (await countWaiting()) === 1, 'the commit waits');
    await onPrimary(`SELECT pg_cancel_backend(pid) ${WAITING}`);
    expect(await noting).toBe('lost');
    expect(await onPrimary(`SELECT FROM noted WHERE word = 'canceled'`)).toHaveLength(1);
    const [again, seen] = await Promise.all([
      pressAt(people, portal, press),
      troubleOf(confirmSeen(portal.deps.db)),
    ]);
    expect([again.status, again.heard, seen]).toEqual([503, 'nothing certain', 'lost']);
    pair.wakeStandby();
    await waitUntil(async () => (await ready()) === 200, 'the portal is ready');
    expect((await pressAt(people, portal, press)).heard).toBe('paid');
  });
});

/** These are called with valid requests. The others only read, or are refused by what they read. */
const NEEDS_A_WRITE: Name[] = [
  'acceptInvitations',
  'addLocation',
  'addPaymentMethod',
  'cancelEmail',
  'changeEmail',
  'changePassword',
  'closeAccount',
  'endOtherSessions',
  'endSession',
  'exportData',
  'guestSale',
  'login',
  'logout',
  'portalSale',
  'refresh',
  'register',
  'removeLocation',
  'removePaymentMethod',
  'resendEmailConfirmation',
  'resetPassword',
  'updateAccount',
];

async function nextPress(index: number): Promise<Press> {
  const customer = people.customers[index % people.customers.length] ?? people.customers[0];
  const invoices = await makeSharedInvoices(people, [customer], { invoices: 1 + (index % 2) });
  return index % 2 === 0 ? asGuest(people, invoices) : asCustomer(people, customer, invoices);
}

describe('a primary that dies under load', () => {
  const PAYERS = 4;
  const LONGEST_PAYMENT_SECONDS = 66;

  test('loses nothing that anybody was told, and resumes background work by itself', async () => {
    const { deps } = portal;
    const jobs = await runJobs(deps);
    const books = watchBooks(deps);
    const heard = { paid: 0, statuses: new Set<number>() };
    let isOver = false;
    const pressUntilTold = async (press: Press) => {
      for (;;) {
        const answer = await pressAt(people, portal, press);
        heard.statuses.add(answer.status);
        if (answer.heard === 'paid') heard.paid++;
        if (isOver || answer.heard !== 'nothing certain') return;
        await wait(100);
      }
    };
    const payOn = async (index: number) => {
      while (!isOver) {
        // The office's own writes fail too while there is no primary.
        const press = await nextPress(index).catch(() => wait(100));
        if (press) await pressUntilTold(press);
      }
    };
    const payers = Array.from({ length: PAYERS }, (_, index) => payOn(index));
    await waitUntil(() => heard.paid > 2 * PAYERS, 'payments are made');
    await pair.failOver();
    const before = heard.paid;
    await waitUntil(() => heard.paid > before + 2 * PAYERS, 'payments are made on the new primary');
    isOver = true;
    await Promise.all(payers);
    expect([...heard.statuses].filter((status) => ![200, 409, 503].includes(status))).toEqual([]);

    await advanceEngineClock(deps, LONGEST_PAYMENT_SECONDS);
    const capturing = sql`SELECT FROM charge WHERE state = 'accepted'`;
    const isCaptured = async () => (await deps.db.query.execute(capturing)).rows.length === 0;
    await waitUntil(isCaptured, 'the background work captures by itself');
    books.stop();
    await jobs.stop();
    await sweepThroughBacklog(deps);
    expect(await sweepAndJudge(deps, { emulator: people.emulator, told: people.told })).toEqual([]);
  });
});
