import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { advanceEngineClock, sweep } from '../../../../test/books.ts';
import { TEST_SECRETS } from '../../../../test/build-test-app.ts';
import { useCrashes } from '../../../../test/crashes/use-crashes.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import {
  makeRefundable,
  type Refundable,
  requestRefund,
} from '../../../../test/factories/requested-refunds.ts';
import {
  makeStaff,
  OFFICE_ORIGIN,
  OFFICE_SETTINGS,
  signInStaff,
  stepUpFor,
} from '../../../../test/office/office-people.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { compareAfterRestore } from '../restore/compare-after-restore.ts';

// Each test starts a process of its own, on a machine that may be busy.
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
  await sweepAll();
  const { franchiseId, workOrderNumber } = invoice;
  return { ...(await makeRefundable(db(), invoice)), franchiseId, workOrderNumber };
}

const closeBatch = () => emulator.callAs('portal', 'POST', '/batches/current/close');

async function sweepAt(seconds: number): Promise<void> {
  await advanceEngineClock(portal.deps, seconds);
  await emulator.advanceClock(seconds);
  await sweep(portal.deps);
}

/** Past a lease, the proof of absence and the window of a void. */
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
    // Bytes on their way arrive.
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

  test.each([
    ['R07-inside-listing', 'R07-inside-listing'],
    ['R07-inside-listing', 'R13-refund-answered'],
    ['R12-refund-written', 'R24-candidate-found'],
    ['R13-refund-answered', 'R24-candidate-found'],
    ['R13-refund-answered', 'R16-inside-made'],
    ['R14-answer-stored', 'R15-confirmed'],
    ['R15-confirmed', 'R16-inside-made'],
    ['R16-inside-made', 'R16-inside-made'],
  ] as const)('%s, and the next process at %s: it is made once', async (first, second) => {
    await requestRefund(portal.deps, sale, PART);
    await (await crashAt(first)).killed();
    if (first === 'R12-refund-written')
      await vi.waitUntil(async () => (await rowsThere()).length === 2, 60_000);
    await advanceEngineClock(portal.deps, 61);
    await (await crashAt(second)).killed();
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
