import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { call, TEST_SECRETS } from '../../../../test/build-test-app.ts';
import type { CrashingPortal } from '../../../../test/crashes/crash-processes.ts';
import { useCrashes } from '../../../../test/crashes/use-crashes.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import {
  makeRefundable,
  type Refundable,
  requestRefund,
  requestRefundOfEach,
} from '../../../../test/factories/requested-refunds.ts';
import {
  addCard,
  makeFranchises,
  makeUnpaidInvoices,
  portalSale,
} from '../../../../test/factories/unpaid-invoices.ts';
import { signInUser } from '../../../../test/factories/users.ts';
import {
  callConsole,
  consoleHeaders,
  makeStaff,
  OFFICE_ORIGIN,
  OFFICE_SETTINGS,
  signInStaff,
  stepUpFor,
  type TestPerson,
  waitForNextCode,
} from '../../../../test/office/office-people.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { compareAfterRestore } from '../restore/compare-after-restore.ts';

// Each test starts its own process, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments(() => OFFICE_SETTINGS);
const { crashAt, testThatAllWereReached } = useCrashes(portal, 'refunds');

const WHOLE = { invoiceCents: 100_00, taxCents: 8_25 };
const PART = { invoiceCents: 46_19, taxCents: 3_81 };

type Sale = Refundable & { franchiseId: number; workOrderNumber: number };
let sale: Sale;

beforeEach(async () => {
  await emulator.clearFaults();
  sale = await paid();
});

async function paid(): Promise<Sale> {
  const invoice = await makeInvoice(db());
  await guestPays(invoice, { email: 'payer@example.com' });
  await sweep(portal.deps);
  const { franchiseId, workOrderNumber } = invoice;
  return { ...(await makeRefundable(db(), invoice)), franchiseId, workOrderNumber };
}

const closeBatch = () => emulator.callAs('portal', 'POST', '/batches/current/close');

async function sweepAt(seconds: number): Promise<void> {
  await advanceEngineClock(portal.deps, seconds);
  await emulator.advanceClock(seconds);
  await sweep(portal.deps);
}

/** Steps past a lease, the proof of absence and the void window. */
async function recover(): Promise<void> {
  for (const seconds of [61, 10, 1000, 70, 1000, 70]) await sweepAt(seconds);
}

async function statesOf(): Promise<string[]> {
  const { rows } = await db().execute<{ state: string }>(sql`
    SELECT r.state FROM refund r JOIN refund_request q ON q.id = r.request_id
     WHERE r.charge_id = ${sale.chargeId} ORDER BY q.created_at`);
  return rows.map(({ state }) => state);
}

async function rowsThere(): Promise<string[]> {
  return (await emulator.ledger())
    .filter((row) => row.orderid === sale.orderId && row.result_code === 'A')
    .map((row) => `${row.trantype_code} ${row.amount}`);
}

async function expectOnce(state: string, rows: string[]): Promise<void> {
  await recover();
  expect(await statesOf()).toEqual([state]);
  expect(await rowsThere()).toEqual(rows);
  const { rows: mails } = await db().execute<{ count: number }>(sql`
    SELECT count(*)::integer AS count FROM outgoing_mail m JOIN refund r ON r.id = m.refund_id
     WHERE r.charge_id = ${sale.chargeId} AND m.kind = 'refund-made'`);
  expect(mails[0]?.count).toBe(state === 'made' ? 1 : 0);
  await expectBalanced();
}

const MADE = ['L 108.25', 'C 50.00'];

const asked = () => ({
  reason: 'complaint',
  lines: [
    { franchiseId: sale.franchiseId, workOrderNumber: sale.workOrderNumber, amount: 50, effect: 'due-again' },
  ],
});
const askPath = () => `/office/payments/${sale.paymentId}/refunds`;

describe('somebody asks for a refund, and the process is killed', () => {
  test.each([
    ['R01-inside-request', false],
    ['R02-requested', true],
  ] as const)('%s: the same key asks once', async (point, isReplayed) => {
    const crashing = await crashAt(point);
    const options = { token: TEST_SECRETS.officeApiKey, key: point };
    expect(await crashing.post(askPath(), asked(), options)).toBeNull();
    await crashing.killed();
    const again = await portal.app.inject({
      method: 'POST',
      url: `/api${askPath()}`,
      headers: { authorization: `Bearer ${TEST_SECRETS.officeApiKey}`, 'idempotency-key': point },
      payload: asked(),
    });
    expect(again.statusCode, again.body).toBe(202);
    expect(again.headers['idempotency-replayed'] === 'true').toBe(isReplayed);
    await closeBatch();
    await expectOnce('made', MADE);
  });

  test.each([
    ['R03-inside-approval', ['requested']],
    ['R04-approved', ['waiting']],
  ] as const)('%s: approved wholly or not at all', async (point, states) => {
    const refundId = await requestRefund(portal.deps, sale, { ...PART, needsApproval: true });
    const person = await makeStaff(portal, { role: 'finance' });
    const who = { person, cookie: await signInStaff(portal, person) };
    const path = `/refunds/${refundId}/approve`;
    const factor = await stepUpFor(portal, who, { method: 'POST', path, body: {} });
    const crashing = await crashAt(point);
    const headers = {
      host: new URL(OFFICE_ORIGIN).host,
      origin: OFFICE_ORIGIN,
      'x-office': '1',
      'sec-fetch-site': 'same-origin',
      cookie: who.cookie,
      ...factor,
    };
    expect(await crashing.post(`/office${path}`, {}, { headers })).toBeNull();
    await crashing.killed();
    expect(await statesOf()).toEqual(states);
    await closeBatch();
    await expectOnce(
      point === 'R04-approved' ? 'made' : 'requested',
      point === 'R04-approved' ? MADE : ['L 108.25'],
    );
  });

  test('R05-inside-withdrawal: it is as it was', async () => {
    const options = { token: TEST_SECRETS.officeApiKey };
    const asking = await portal.app.inject({
      method: 'POST',
      url: `/api${askPath()}`,
      headers: { authorization: `Bearer ${TEST_SECRETS.officeApiKey}`, 'idempotency-key': randomUUID() },
      payload: asked(),
    });
    const [{ refundId } = { refundId: '' }] = asking.json<{ refunds: { refundId: string }[] }>().refunds;
    const crashing = await crashAt('R05-inside-withdrawal');
    const path = `/office/refunds/${refundId}/withdraw`;
    expect(await crashing.post(path, { note: 'A mistake.' }, options)).toBeNull();
    await crashing.killed();
    await closeBatch();
    await expectOnce('made', MADE);
  });
});

describe('the sweep refunds a part, and the process is killed', () => {
  beforeEach(closeBatch);

  test.each([
    'R06-leased',
    'R07-inside-listing',
    'R08-looked',
    'R09-inside-sending',
    'R12-refund-written',
    'R13-refund-answered',
    'R14-answer-stored',
    'R15-confirmed',
    'R16-inside-made',
    'R17-made',
  ] as const)('%s: it is made once', async (point) => {
    await requestRefund(portal.deps, sale, PART);
    const crashing = await crashAt(point);
    await crashing.killed();
    // Bytes already sent still arrive.
    if (point === 'R12-refund-written')
      await vi.waitUntil(async () => (await rowsThere()).length === 2, 60_000);
    await expectOnce('made', MADE);
  });

  test.each(['R10-sending', 'R11-socket-open'] as const)(
    '%s: nothing was sent, which is proved, and it is never sent again',
    async (point) => {
      await requestRefund(portal.deps, sale, PART);
      const crashing = await crashAt(point);
      await crashing.killed();
      await expectOnce('not_made', ['L 108.25']);
    },
  );

  test('R16-inside-made, and the next process there too: it is made once', async () => {
    await requestRefund(portal.deps, sale, PART);
    await (await crashAt('R16-inside-made')).killed();
    await advanceEngineClock(portal.deps, 61);
    await (await crashAt('R16-inside-made')).killed();
    await expectOnce('made', MADE);
  });
});

describe('a refund whose answer is lost is looked for, and the process is killed', () => {
  beforeEach(closeBatch);

  async function lose(when: 'before' | 'after'): Promise<void> {
    await requestRefund(portal.deps, sale, PART);
    await emulator.script({ fault: 'reset', when, command: 'refund', orderId: sale.orderId });
    await sweepAt(1);
    expect(await statesOf()).toEqual(['unknown']);
  }

  test.each([
    ['R22-unknown-leased', 6],
    ['R23-absence-noted', 1000],
  ] as const)('%s: it is ruled out', async (point, seconds) => {
    await lose('before');
    await advanceEngineClock(portal.deps, seconds);
    await (await crashAt(point)).killed();
    await expectOnce('not_made', ['L 108.25']);
  });

  test('R24-candidate-found: it is found again', async () => {
    await lose('after');
    await advanceEngineClock(portal.deps, 6);
    await (await crashAt('R24-candidate-found')).killed();
    await expectOnce('made', MADE);
  });

  test('R25-inside-end: it is ruled out once', async () => {
    await lose('before');
    await sweepAt(1000);
    await advanceEngineClock(portal.deps, 70);
    await (await crashAt('R25-inside-end')).killed();
    await expectOnce('not_made', ['L 108.25']);
  });

  test('R29-inside-again: no successor, and the same key sends it again once', async () => {
    await lose('before');
    await recover();
    const { rows } = await db().execute<{ id: string }>(sql`
      SELECT id FROM refund WHERE charge_id = ${sale.chargeId}`);
    const path = `/office/refunds/${rows[0]?.id}/send-again`;
    const crashing = await crashAt('R29-inside-again');
    const key = randomUUID();
    expect(await crashing.post(path, {}, { token: TEST_SECRETS.officeApiKey, key })).toBeNull();
    await crashing.killed();
    expect(await statesOf()).toEqual(['not_made']);
    const headers = { authorization: `Bearer ${TEST_SECRETS.officeApiKey}`, 'idempotency-key': key };
    const again = await portal.app.inject({ method: 'POST', url: `/api${path}`, headers, payload: {} });
    expect(again.statusCode, again.body).toBe(202);
    await recover();
    expect(await statesOf()).toEqual(['not_made', 'made']);
    expect(await rowsThere()).toEqual(MADE);
    await expectBalanced();
  });
});

describe('the sweep voids a whole charge, and the process is killed', () => {
  test.each(['R18-void-written', 'R19-void-answered'] as const)('%s: it is voided once', async (point) => {
    await requestRefund(portal.deps, sale, WHOLE);
    await (await crashAt(point)).killed();
    await expectOnce('made', ['V 108.25']);
  });

  test.each(['R20-void-refused', 'R21-inside-waiting'] as const)(
    '%s, as the batch closes: it is refunded after the settlement',
    async (point) => {
      await requestRefund(portal.deps, sale, WHOLE);
      const answer = { result_code: 'E', error: 'Refused', error_code: 117, errorcode: 117, key: null };
      await emulator.script({
        fault: 'wrong',
        when: 'before',
        command: 'void',
        orderId: sale.orderId,
        answer,
      });
      await (await crashAt(point)).killed();
      await closeBatch();
      await expectOnce('made', ['L 108.25', 'C 108.25']);
    },
  );
});

describe('a person decides about a held refund, and the process is killed', () => {
  let refundId: string;
  let key: string;
  let who: { person: TestPerson; cookie: string };

  beforeEach(async () => {
    await closeBatch();
    const [row] = (await emulator.ledger()).filter((each) => each.orderid === sale.orderId);
    const there = { command: 'refund', trankey: row?.key, amount: '50.00' };
    key = String((await emulator.callAs('portal', 'POST', '/transactions', there)).key);
    refundId = await requestRefund(portal.deps, sale, PART);
    await sweepAt(1);
    expect(await statesOf()).toEqual(['held']);
    const person = await makeStaff(portal, { role: 'finance' });
    who = { person, cookie: await signInStaff(portal, person) };
  });

  async function decide(at?: CrashingPortal, decision: object = { decision: 'adopt', transactionKey: key }) {
    const path = `/refunds/${refundId}/decide`;
    const body = { ...decision, note: 'Made by hand.' };
    const factor = await stepUpFor(portal, who, { method: 'POST', path, body });
    if (!at) return callConsole(portal, 'POST', path, { cookie: who.cookie, headers: factor, body });
    const headers = consoleHeaders({ cookie: who.cookie, headers: factor });
    expect(await at.post(`/office${path}`, body, { headers })).toBeNull();
    return null;
  }

  async function acts(event: string): Promise<number> {
    const { rows } = await db().execute<{ count: number }>(sql`
      SELECT count(*)::integer AS count FROM audit_event
       WHERE subject = ${`refund ${refundId}`} AND action = ${`refund: ${event}`}`);
    return rows[0]?.count ?? 0;
  }

  test.each([
    ['R26-decision-asked', false],
    ['R27-inside-decision', false],
    ['R28-decided', true],
  ] as const)('%s: decided once, with its audit entry, or not at all', async (point, isDecided) => {
    const crashing = await crashAt(point);
    await decide(crashing);
    await crashing.killed();
    expect(await statesOf()).toEqual([isDecided ? 'made' : 'held']);
    expect(await acts('adopt')).toBe(isDecided ? 1 : 0);
    await advanceEngineClock(portal.deps, 61);
    waitForNextCode(portal);
    expect((await decide())?.statusCode).toBe(isDecided ? 409 : 200);
    expect(await acts('adopt')).toBe(1);
    await expectOnce('made', MADE);
  });

  test('R32-inside-undo: it is as it was, and undoing works', async () => {
    expect((await decide())?.statusCode).toBe(200);
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'void', trankey: key });
    const undoing = { decision: 'not-made' };
    const crashing = await crashAt('R32-inside-undo');
    waitForNextCode(portal);
    await decide(crashing, undoing);
    await crashing.killed();
    expect(await acts('undo')).toBe(0);
    await advanceEngineClock(portal.deps, 61);
    waitForNextCode(portal);
    expect((await decide(undefined, undoing))?.statusCode).toBe(200);
    expect(await acts('undo')).toBe(1);
    expect(await rowsThere()).toEqual(['L 108.25', 'Z 50.00']);
    await expectBalanced();
  });
});

test('R30-between-rows: of a request over three accounts each is refunded once', async () => {
  const franchises = await makeFranchises(portal, emulator, { accounts: 3 });
  const user = await signInUser(portal);
  const paymentMethodId = await addCard(portal, emulator, user);
  const invoices = await makeUnpaidInvoices(portal, { user, franchises, invoices: 3 });
  const body = portalSale(invoices, { paymentMethodId });
  const paying = await call(portal, 'POST', '/usaepay/customerportalsale', { token: user.token, body });
  expect(paying.statusCode, paying.body).toBe(200);
  await sweepAll();
  const charges = await Promise.all(invoices.map((invoice) => makeRefundable(db(), invoice)));
  for (const { merchant } of franchises) await emulator.callAs(merchant, 'POST', '/batches/current/close');
  await requestRefundOfEach(portal.deps, charges, PART);
  await (await crashAt('R30-between-rows')).killed();
  await recover();
  for (const { chargeId, orderId } of charges) {
    const { rows } = await db().execute<{ state: string }>(sql`
      SELECT state FROM refund WHERE charge_id = ${chargeId}`);
    expect(rows).toEqual([{ state: 'made' }]);
    const there = (await emulator.ledger()).filter((row) => row.orderid === orderId);
    expect(there.filter((row) => row.trantype_code === 'C').map(({ amount }) => amount)).toEqual(['50.00']);
  }
  await expectBalanced();
});

test('R31-inside-drop: the capture failed and its refund is withdrawn, or neither', async () => {
  const invoice = await makeInvoice(db());
  await guestPays(invoice);
  const { franchiseId, workOrderNumber } = invoice;
  sale = { ...(await makeRefundable(db(), invoice)), franchiseId, workOrderNumber };
  await requestRefund(portal.deps, sale, PART);
  const row = (await emulator.ledger()).find((each) => each.orderid === sale.orderId);
  await emulator.callAs('portal', 'POST', '/transactions', { command: 'void', trankey: row?.key });
  await sweep(portal.deps);
  await advanceEngineClock(portal.deps, 61);
  await (await crashAt('R31-inside-drop')).killed();
  expect(await statesOf()).toEqual(['waiting']);
  await recover();
  expect(await statesOf()).toEqual(['withdrawn']);
});

test('R33-inside-hold: it is held before payments open', async () => {
  await closeBatch();
  await requestRefund(portal.deps, sale, PART);
  await db().execute(sql`UPDATE deployment SET restore_noticed_at = engine_now() + interval '1 second'`);
  await advanceEngineClock(portal.deps, 2);
  await (await crashAt('R33-inside-hold')).killed();
  await advanceEngineClock(portal.deps, 301);
  await compareAfterRestore(portal.deps);
  expect(await statesOf()).toEqual(['held']);
  expect(await rowsThere()).toEqual(['L 108.25']);
});

testThatAllWereReached();
