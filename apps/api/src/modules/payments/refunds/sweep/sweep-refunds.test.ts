import type { RefundList } from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { aroundCalls } from '../../../../../test/around-calls.ts';
import { advanceEngineClock } from '../../../../../test/books/engine-clock.ts';
import { listViolations } from '../../../../../test/books/list-violations.ts';
import { inSleepyProcess } from '../../../../../test/books/sleepy-process.ts';
import { afterStatement } from '../../../../../test/database/after-statement.ts';
import { makeInvoice } from '../../../../../test/factories/invoices.ts';
import {
  makeRefundable,
  type Refundable,
  requestRefund,
} from '../../../../../test/factories/requested-refunds.ts';
import { callOffice } from '../../../../../test/office/office.ts';
import { usePayments } from '../../../../../test/use-payments.ts';
import { endWaitsAhead } from '../../../../jobs/lanes/end-waits-ahead.ts';
import { readPortalState } from '../../../../metrics/state.queries.ts';
import { compareAfterRestore } from '../../restore/compare-after-restore.ts';
import { decideRefund } from '../decide-refund.ts';
import { leaseRefunds, listRefundingAccounts } from './refund-leases.queries.ts';
import { countDeadline } from './send-refund.ts';
import { sweepRefunds } from './sweep-refunds.ts';

const { emulator, portal, db, guestPays, sweepAll } = usePayments();

const WHOLE = { invoiceCents: 100_00, taxCents: 8_25 };
/** 50.00 of 108.25. */
const PART = { invoiceCents: 46_19, taxCents: 3_81 };

let sale: Refundable;

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.switch({ releaseRefused: 'settled', showsSubmitted: false, echoesRefundClerk: false });
  sale = await paid();
});

async function paid(): Promise<Refundable> {
  const invoice = await makeInvoice(db());
  await guestPays(invoice, { email: 'payer@example.com' });
  await sweepAll();
  return makeRefundable(db(), invoice);
}

const request = (parts: Parameters<typeof requestRefund>[2], of = sale) =>
  requestRefund(portal.deps, of, parts);
/** Limits the fault to this sale, as refunds of other tests may be waiting too. */
const script = (fault: Record<string, unknown>, of = sale) =>
  emulator.script({ ...fault, orderId: of.orderId });
const closeBatch = () => emulator.callAs('portal', 'POST', '/batches/current/close');

async function pass(seconds: number): Promise<void> {
  await advanceEngineClock(portal.deps, seconds);
  await emulator.advanceClock(seconds);
}

/** Runs the sweep after this many seconds. */
async function sweepAt(seconds: number, deps = portal.deps): Promise<void> {
  await pass(seconds);
  for (const accountId of await listRefundingAccounts(db())) await sweepRefunds(deps, { accountId });
}

type Row = { state: string; method: string | null; heldFor: string | null; waitsFor: string | null };

async function stateOf(refundId: string): Promise<Row | undefined> {
  const { rows } = await db().execute<Row>(sql`
    SELECT state, method, held_for AS "heldFor", waits_for AS "waitsFor" FROM refund WHERE id = ${refundId}`);
  return rows[0];
}

async function isInReview(refundId: string): Promise<boolean> {
  const { rows } = await db().execute(
    sql`SELECT FROM refund WHERE id = ${refundId} AND review_since IS NOT NULL`,
  );
  return rows.length > 0;
}

async function rowsThere(of = sale): Promise<string[]> {
  return (await emulator.ledger())
    .filter((row) => row.orderid === of.orderId && row.result_code === 'A')
    .map((row) => `${row.trantype_code} ${row.amount}`);
}

async function mails(refundId: string): Promise<string[]> {
  const { rows } = await db().execute<{ kind: string }>(sql`
    SELECT kind FROM outgoing_mail WHERE refund_id = ${refundId} ORDER BY created_at`);
  return rows.map(({ kind }) => kind);
}

const expectTrue = async () => expect(await listViolations(db())).toEqual([]);

/** Past the proof of absence, a minute and the next look, but less than a day. */
const PAST_PROOF = [10, 1000, 70, 4000];

async function sweepPastProof(): Promise<void> {
  for (const seconds of PAST_PROOF) await sweepAt(seconds);
}

const byHand = async (command: string, amount?: string, of = sale) => {
  const [row] = (await emulator.ledger()).filter((each) => each.orderid === of.orderId);
  return emulator.callAs('portal', 'POST', '/transactions', {
    command,
    trankey: row?.key,
    ...(amount && { amount }),
  });
};

/** More sales by hand than one page of the provider's list shows. */
async function sellPage(): Promise<void> {
  const creditcard = { number: '4000100011112224', expiration: '1230', cvc: '123' };
  for (let made = 0; made < 120; made++)
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'sale', amount: '1.00', creditcard });
}

/** A person has seen every refund that the provider shows. */
async function keepAsking(refundId: string): Promise<void> {
  const { rows } = await db().execute<{ key: string }>(sql`
    SELECT transaction_key AS key FROM seen_refund WHERE order_id = ${sale.orderId}`);
  await decideRefund(portal.deps, {
    intentId: sale.paymentId,
    decision: { event: 'keep-asking', refundId, knownKeys: rows.map(({ key }) => key) },
  });
}

const openDispute = () =>
  db().execute(sql`
    INSERT INTO dispute (charge_id, amount_cents, opened_on) VALUES (${sale.chargeId}, 10825, '2026-01-01')`);

describe('before the settlement', () => {
  test('a whole charge is voided, and its payer hears of it once', async () => {
    const refundId = await request(WHOLE);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made', method: 'void' });
    expect(await rowsThere()).toEqual(['V 108.25']);
    expect(await mails(refundId)).toEqual(['refund-made']);
    await expectTrue();
  });

  test('a hold that cannot be released is voided all the same', async () => {
    await emulator.switch({ releaseRefused: 'captured' });
    const refundId = await request(WHOLE);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made', method: 'void' });
  });

  test('a part waits for it and is then refunded, once', async () => {
    const refundId = await request(PART);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting', waitsFor: 'settlement' });
    await closeBatch();
    await sweepAt(1801);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made', method: 'refund', waitsFor: null });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 50.00']);
    await sweepPastProof();
    expect(await rowsThere()).toEqual(['L 108.25', 'C 50.00']);
    await expectTrue();
  });

  test('waiting for it over two days needs a person, until it goes', async () => {
    const refundId = await request(PART);
    const needsPerson = async () => ({
      listed: (await callOffice(portal, 'GET', '/refunds?needs=person'))
        .json<RefundList>()
        .items.some((each) => each.refundId === refundId),
      counted: (await readPortalState(db(), { publicUrl: portal.deps.env.PUBLIC_URL })).refundsNeedPerson,
      waiting: (await callOffice(portal, 'GET', '/waiting')).json<{ refunds: number }>().refunds,
    });
    await sweepAt(47 * 3600);
    const before = await needsPerson();
    expect(before.listed).toBe(false);
    await sweepAt(2 * 3600);
    expect(await needsPerson()).toEqual({
      listed: true,
      counted: before.counted + 1,
      waiting: before.waiting + 1,
    });
    await closeBatch();
    await sweepAt(3601);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    expect(await needsPerson()).toEqual(before);
  });

  test('two parts are two refunds, one after the other', async () => {
    const refundIds = [await request(PART), await request(PART)];
    await closeBatch();
    await sweepAt(1);
    await sweepAt(10);
    for (const refundId of refundIds) expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 50.00', 'C 50.00']);
    await expectTrue();
  });

  test('a batch that closes between look and void turns it into a refund', async () => {
    const refundId = await request(WHOLE);
    await script({ fault: 'wrong', when: 'before', command: 'void', answer: errorAnswer(117) });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting', method: null });
    await closeBatch();
    await sweepAt(20);
    expect(await stateOf(refundId), 'a void may still land').toMatchObject({ state: 'waiting' });
    await sweepAt(1000);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made', method: 'refund' });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 108.25']);
    await expectTrue();
  });

  test.each(['before', 'after'])('a void whose answer is lost %s it ends as one void', async (when) => {
    const refundId = await request(WHOLE);
    await script({ fault: 'reset', when, command: 'void' });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown', method: 'void' });
    await sweepAt(10);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made', method: 'void' });
    expect(await rowsThere()).toEqual(['V 108.25']);
    await expectTrue();
  });

  test('a lost void is not sent again by a worker that slept past the time it may land', async () => {
    const refundId = await request(WHOLE);
    await script({ fault: 'reset', when: 'before', command: 'void' });
    await sweepAt(1);
    await inSleepyProcess((sleep) => sweepAt(10, afterStatement(portal.deps, /SET void_until/, sleep)));
    expect(await rowsThere()).toEqual(['L 108.25']);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown', method: 'void' });
    await sweepAt(20);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made', method: 'void' });
    await expectTrue();
  });

  test('a lost void that did not land before the settlement becomes a refund', async () => {
    const refundId = await request(WHOLE);
    await script({ fault: 'reset', when: 'before', command: 'void' });
    await sweepAt(1);
    await closeBatch();
    await sweepAt(10);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting', waitsFor: 'settlement' });
    await sweepAt(1000);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made', method: 'refund' });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 108.25']);
  });

  test('nothing is sent for a batch on its way', async () => {
    await emulator.switch({ showsSubmitted: true });
    const refundId = await request(WHOLE);
    await script({ fault: 'wrong', command: 'get', answer: { status_code: 'B' } });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting', waitsFor: 'settlement' });
    const { rows } = await db().execute(sql`
      SELECT FROM audit_event WHERE subject = ${`refund ${refundId}`} AND action = 'refund: send'`);
    expect(rows).toEqual([]);
  });
});

const errorAnswer = (errorcode: number) => ({
  result_code: 'E',
  result: 'Error',
  error: 'Refused',
  error_code: errorcode,
  errorcode,
  key: null,
});

describe('a refund whose answer is lost', () => {
  beforeEach(closeBatch);

  test.each(['before', 'after'])(
    '%s the effect is found in the records and never sent again',
    async (when) => {
      const refundId = await request(PART);
      await script({ fault: 'reset', when, command: 'refund' });
      await sweepAt(1);
      expect(await stateOf(refundId)).toMatchObject({ state: 'unknown', method: 'refund' });
      await sweepPastProof();
      expect(await stateOf(refundId)).toMatchObject({ state: when === 'after' ? 'made' : 'not_made' });
      expect(await rowsThere()).toEqual(when === 'after' ? ['L 108.25', 'C 50.00'] : ['L 108.25']);
      expect(await mails(refundId)).toEqual(when === 'after' ? ['refund-made'] : []);
      await expectTrue();
    },
  );

  test('is not ruled out before a quarter of an hour, nor by one listing', async () => {
    const refundId = await request(PART);
    await script({ fault: 'reset', when: 'before', command: 'refund' });
    await sweepAt(1);
    for (const seconds of [300, 300, 310]) {
      await sweepAt(seconds);
      expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
    }
    await sweepAt(60);
    expect(await stateOf(refundId), 'by one listing').toMatchObject({ state: 'unknown' });
    await sweepAt(70);
    expect(await stateOf(refundId)).toMatchObject({ state: 'not_made' });
  });

  test('is held if two of the provider’s may be it, or its only one is voided', async () => {
    const [twice, voided] = [sale, await paid()];
    await closeBatch();
    const refundId = await request(PART, twice);
    const other = await request(PART, voided);
    for (const each of [twice, voided])
      await script({ fault: 'reset', when: 'after', command: 'refund' }, each);
    await sweepAt(1);
    await byHand('refund', '50.00', twice);
    const made = (await emulator.ledger()).find(
      (row) => row.orderid === voided.orderId && row.trantype_code === 'C',
    );
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'void', trankey: made?.key });
    await sweepAt(10);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'several-candidates' });
    expect(await stateOf(other)).toMatchObject({ state: 'held', heldFor: 'voided-there' });
    await expectTrue();
  });

  test('is held after a day without an answer', async () => {
    const refundId = await request(PART);
    await script({ fault: 'reset', when: 'before', command: 'refund' });
    await sweepAt(1);
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 1000 });
    for (let hour = 0; hour < 26; hour++) await sweepAt(3700);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'not-ruled-out' });
    await expectTrue();
  });

  test('is in the review after a day, and held an hour later', async () => {
    const refundId = await request(PART);
    await script({ fault: 'reset', when: 'before', command: 'refund' });
    await sweepAt(1);
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 1000 });
    await sweepAt(26 * 3600);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
    expect(await isInReview(refundId)).toBe(true);
    await sweepAt(3500);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
    await sweepAt(3700);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'not-ruled-out' });
    await expectTrue();
  });

  test('is ruled out by two lists after an outage of a day, however long it was looked for', async () => {
    const refundId = await request(PART);
    await script({ fault: 'reset', when: 'before', command: 'refund' });
    await sweepAt(1);
    await sweepAt(26 * 3600);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
    expect(await isInReview(refundId)).toBe(true);
    await sweepAt(62);
    expect(await stateOf(refundId)).toMatchObject({ state: 'not_made' });
    expect(await isInReview(refundId)).toBe(false);
    const other = await paid();
    await closeBatch();
    const second = await request(PART, other);
    await script({ fault: 'reset', when: 'before', command: 'refund' }, other);
    await sweepAt(1);
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 1000 });
    await sweepAt(26 * 3600);
    await emulator.clearFaults();
    await sweepAt(3700);
    expect(await stateOf(second)).toMatchObject({ state: 'unknown' });
    await sweepAt(62);
    expect(await stateOf(second)).toMatchObject({ state: 'not_made' });
    await expectTrue();
  });

  test('is never found in what was there before it was sent', async () => {
    await byHand('refund', '50.00');
    const refundId = await request(PART);
    await sweepAt(1);
    await keepAsking(refundId);
    await script({ fault: 'reset', when: 'before', command: 'refund' });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
    await sweepPastProof();
    expect(await stateOf(refundId)).toMatchObject({ state: 'not_made' });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 50.00']);
  });

  test.each([true, false])('ends the same whether the provider repeats its mark: %s', async (echoes) => {
    await emulator.switch({ echoesRefundClerk: echoes });
    const refundId = await request(PART);
    await script({ fault: 'reset', when: 'after', command: 'refund' });
    await sweepAt(1);
    await sweepAt(10);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
  });

  test('is found when it lands late, and held if it lands after its proof', async () => {
    const [inTime, late] = [sale, await paid()];
    await closeBatch();
    const refundIds = [await request(PART, inTime), await request(PART, late)];
    for (const each of [inTime, late])
      await script({ fault: 'reset', when: 'before', command: 'refund' }, each);
    await sweepAt(1);
    await byHand('refund', '50.00', inTime);
    await sweepPastProof();
    expect(await stateOf(refundIds[0] ?? '')).toMatchObject({ state: 'made' });
    expect(await stateOf(refundIds[1] ?? '')).toMatchObject({ state: 'not_made' });
    await byHand('refund', '50.00', late);
    const again = await request({ ...PART, retryOf: refundIds[1] ?? '' }, late);
    await sweepAt(1);
    expect(await stateOf(again)).toMatchObject({ state: 'held', heldFor: 'unclaimed' });
    expect(await rowsThere(late)).toEqual(['L 108.25', 'C 50.00']);
  });

  test('adopts an equal refund made by hand, and then a second one would be too much', async () => {
    const refundId = await request(PART);
    await script({ fault: 'reset', when: 'before', command: 'refund' });
    await sweepAt(1);
    await byHand('refund', '50.00');
    await sweepAt(10);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 50.00']);
  });
});

describe('what the provider answers to a refund', () => {
  beforeEach(closeBatch);

  const answers: [string, Record<string, unknown>, Partial<Row>][] = [
    ['more than is left', errorAnswer(10133), { state: 'refused' }],
    ['not settled', errorAnswer(115), { state: 'waiting', waitsFor: 'settlement' }],
    ['not allowed', errorAnswer(80), { state: 'waiting', waitsFor: 'keys' }],
    ['another error', errorAnswer(42), { state: 'unknown' }],
    ['closed batch', errorAnswer(117), { state: 'unknown' }],
  ];
  test.each(answers)('%s', async (_says, answer, expected) => {
    const refundId = await request(PART);
    await script({ fault: 'wrong', when: 'before', command: 'refund', answer });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject(expected);
    await expectTrue();
  });

  test('treats a duplicate as no proof', async () => {
    const refundId = await request(PART);
    await script({ fault: 'duplicate', command: 'refund' });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
    await sweepAt(10);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 50.00']);
  });

  test('counts though a dispute was recorded before it came', async () => {
    const { gateways } = portal.deps;
    portal.deps.gateways = aroundCalls(gateways, 'refund', async (send) => {
      await openDispute();
      return send();
    });
    const refundId = await request(PART);
    await sweepAt(1).finally(() => {
      portal.deps.gateways = gateways;
    });
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    await expectTrue();
  });

  test('never trusts an approval without a record of it', async () => {
    const refundId = await request(PART);
    await script({ fault: 'wrong', when: 'before', command: 'refund', answer: { key: 'enfnowhere' } });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
    await sweepAt(10);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
    expect(await rowsThere()).toEqual(['L 108.25']);
  });

  test.each([{ auth_amount: '1.00' }, { auth_amount: '1.00', result_code: 'P' }])(
    'that approves another amount (%j) names its record, which shows what went back',
    async (answer) => {
      const { gateways } = portal.deps;
      portal.deps.gateways = aroundCalls(gateways, 'refund', async (send) => {
        const { key } = await byHand('refund', '1.00');
        await script({ fault: 'wrong', when: 'before', command: 'refund', answer: { ...answer, key } });
        return send();
      });
      const refundId = await request(PART);
      await sweepAt(1).finally(() => {
        portal.deps.gateways = gateways;
      });
      expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
      await sweepPastProof();
      expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'another-amount' });
      await expectTrue();
    },
  );

  test.each(['V', 'R'])('of a refund whose record reads %s is held as voided there', async (status_code) => {
    const refundId = await request(PART);
    const voided = { fault: 'wrong', command: 'get', after: 1, answer: { status_code } };
    await script(voided);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
    await script(voided);
    await sweepAt(10);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'voided-there' });
    await expectTrue();
  });

  test('of a refund by hand whose row reads voided bars nothing', async () => {
    await byHand('refund', '10.00');
    const list = await emulator.callAs('portal', 'GET', '/transactions?limit=100&offset=0');
    const data = (list.data as Record<string, unknown>[]).map((row) =>
      row.trantype_code === 'C' ? { ...row, status_code: 'R' } : row,
    );
    await emulator.script({ fault: 'wrong', command: 'list', times: 10, answer: { data } });
    const refundId = await request(PART);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
  });

  test('waits while its keys are refused, and says so', async () => {
    const refundId = await request(PART);
    await script({ fault: 'status', status: 403, command: 'get', times: 5 });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting', waitsFor: 'keys' });
  });

  test('rests the account after too many requests', async () => {
    const refundId = await request(PART);
    await script({ fault: 'status', status: 429, command: 'get' });
    await sweepAt(1);
    await sweepAt(10);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting' });
    expect(await rowsThere()).toEqual(['L 108.25']);
    await sweepAt(60);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
  });
});

describe('is held before anything is sent', () => {
  test('if somebody refunded by hand', async () => {
    await closeBatch();
    const refundId = await request(PART);
    await byHand('refund', '10.00');
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'unclaimed', method: null });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 10.00']);
    await expectTrue();
  });

  test('if somebody voided the sale', async () => {
    const refundId = await request(WHOLE);
    await byHand('void');
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'voided-there' });
  });

  test('while the charge is disputed', async () => {
    await closeBatch();
    const refundId = await request(PART);
    await openDispute();
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'disputed' });
    expect(await rowsThere()).toEqual(['L 108.25']);
  });

  test('if something would unexpectedly be due, until a person allows it', async () => {
    await closeBatch();
    const refundId = await request({ ...PART, nothingDue: true });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'would-be-due' });
    await decideRefund(portal.deps, {
      intentId: sale.paymentId,
      decision: { event: 'keep-asking', refundId, knownKeys: [] },
    });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    await expectTrue();
  });

  test('if something would be due that was not said to be, whatever else a person has allowed', async () => {
    await closeBatch();
    await byHand('refund', '10.00');
    const refundId = await request({ ...PART, nothingDue: true });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'unclaimed' });
    await keepAsking(refundId);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'would-be-due' });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 10.00']);
  });

  test('if the office has taken the credit off already; a person allows it, and it counts once', async () => {
    await closeBatch();
    const refundId = await request({ ...PART, effect: 'credited' });
    await db().execute(sql`
      UPDATE invoice SET amount_cents = 5825, tax_cents = 444 WHERE id = ${sale.invoiceId}`);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'would-be-due' });
    await keepAsking(refundId);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    const { rows } = await db().execute(sql`
      SELECT amount_cents, tax_cents, paid_cents, balance_cents FROM invoice WHERE id = ${sale.invoiceId}`);
    expect(rows).toEqual([{ amount_cents: 58_25, tax_cents: 4_44, paid_cents: 58_25, balance_cents: 0 }]);
    await expectTrue();
  });

  test('if more would be refunded than was charged, whatever a person has seen', async () => {
    await closeBatch();
    await byHand('refund', '80.00');
    const refundId = await request(PART);
    await sweepAt(1);
    await keepAsking(refundId);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'more-than-left' });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 80.00']);
  });
});

describe('a restore that nothing shows, as no charge was lost', () => {
  /** Another database, whose list opens the account at once. */
  async function beginEpoch(): Promise<void> {
    await db().execute(sql`UPDATE books_epoch SET mark = 'of another database'`);
    await compareAfterRestore(portal.deps);
  }

  test('sends no refund of an older charge before lists must show what was lost', async () => {
    await closeBatch();
    const refundId = await request(PART);
    await beginEpoch();
    await sweepAt(800);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting' });
    expect(await rowsThere()).toEqual(['L 108.25']);
    await pass(200);
    await compareAfterRestore(portal.deps);
    await sweepAt(70);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 50.00']);
  });

  test('holds a refund whose lost twin is listed by then', async () => {
    await closeBatch();
    const refundId = await request(PART);
    await beginEpoch();
    await sweepAt(1);
    await byHand('refund', '50.00');
    await pass(901);
    await compareAfterRestore(portal.deps);
    await sweepAt(70);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'unclaimed' });
    expect(await rowsThere()).toEqual(['L 108.25', 'C 50.00']);
  });

  test('voids at once, as a second void is the same one', async () => {
    const refundId = await request(WHOLE);
    await beginEpoch();
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made', method: 'void' });
  });
});

describe('a request that is withdrawn while its worker looks', () => {
  /** The alerts of a worker during whose first call of this kind the request is withdrawn. */
  async function alertsOfWorker(refundId: string, call: 'find' | 'list'): Promise<unknown[]> {
    const alerts: unknown[] = [];
    const log = pino({ level: 'error' }, { write: (line) => alerts.push(JSON.parse(line).alert) });
    const withdrawn = { intentId: sale.paymentId, decision: { event: 'withdraw', refundId } } as const;
    const gateways = aroundCalls(portal.deps.gateways, call, async (send) => {
      await decideRefund(portal.deps, withdrawn);
      return send();
    });
    await pass(1);
    for (const accountId of await listRefundingAccounts(db()))
      await sweepRefunds({ ...portal.deps, log, gateways }, { accountId });
    return alerts;
  }

  test.each(['find', 'list'] as const)('is left alone, without an alert (%s)', async (call) => {
    await closeBatch();
    const refundId = await request(PART);
    expect(await alertsOfWorker(refundId, call)).toEqual([]);
    expect(await stateOf(refundId)).toMatchObject({ state: 'withdrawn' });
    expect(await rowsThere()).toEqual(['L 108.25']);
  });

  test('is left alone while it waits for the settlement', async () => {
    const refundId = await request(PART);
    expect(await alertsOfWorker(refundId, 'find')).toEqual([]);
    expect(await stateOf(refundId)).toMatchObject({ state: 'withdrawn', waitsFor: null });
  });
});

describe('what is overpaid on an invoice that two payments paid', () => {
  const write = (amount: number, tax: number) =>
    db().execute(
      sql`UPDATE invoice SET amount_cents = ${amount}, tax_cents = ${tax} WHERE id = ${sale.invoiceId}`,
    );

  /** The invoice is raised to 216.50, and the rest is paid, too. */
  async function payRest(): Promise<Refundable> {
    const { rows } = await db().execute<{ franchiseId: number; workOrderNumber: number }>(sql`
      SELECT franchise_id AS "franchiseId", work_order_number AS "workOrderNumber"
        FROM invoice WHERE id = ${sale.invoiceId}`);
    const [named] = rows;
    if (!named) throw new Error('no invoice');
    await write(216_50, 16_50);
    await guestPays({ ...named, zipCode: '62701' }, { email: 'payer@example.com' });
    await sweepAll();
    await closeBatch();
    const found = await db().execute<Refundable>(sql`
      SELECT c.intent_id AS "paymentId", c.id AS "chargeId", c.order_id AS "orderId", a.invoice_id AS "invoiceId"
        FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
       WHERE a.invoice_id = ${sale.invoiceId} AND c.id <> ${sale.chargeId}`);
    const [rest] = found.rows;
    if (!rest) throw new Error('the rest is not paid');
    return rest;
  }

  const sumsOf = async () =>
    (
      await db().execute(sql`
        SELECT amount_cents AS amount, paid_cents AS paid, balance_cents AS balance
          FROM invoice WHERE id = ${sale.invoiceId}`)
    ).rows;

  /** Both are asked for, and the first one is sent and its answer lost. */
  async function loseFirst(when: 'before' | 'after'): Promise<[string, string, Refundable]> {
    const rest = await payRest();
    await write(108_25, 8_25);
    const first = await request({ ...WHOLE, nothingDue: true });
    const second = await request({ ...WHOLE, nothingDue: true }, rest);
    await script({ fault: 'reset', when, command: 'refund' });
    await sweepAt(1);
    expect(await stateOf(first)).toMatchObject({ state: 'unknown' });
    expect(await stateOf(second)).toMatchObject({ state: 'waiting' });
    return [first, second, rest];
  }

  test('goes back once: asked for of both, the second waits, and is then a person’s', async () => {
    const [first, second, rest] = await loseFirst('after');
    await sweepAt(10);
    expect(await stateOf(first)).toMatchObject({ state: 'made' });
    await sweepAt(100);
    expect(await stateOf(second)).toMatchObject({ state: 'held', heldFor: 'would-be-due' });
    expect(await rowsThere(rest)).toEqual(['L 108.25']);
    expect(await sumsOf()).toEqual([{ amount: 108_25, paid: 108_25, balance: 0 }]);
    await expectTrue();
  });

  test('goes back of the other payment by itself if the first refund comes to nothing', async () => {
    const [first, second] = await loseFirst('before');
    await sweepPastProof();
    expect(await stateOf(first)).toMatchObject({ state: 'not_made' });
    await sweepAt(4000);
    expect(await stateOf(second)).toMatchObject({ state: 'made' });
    expect(await sumsOf()).toEqual([{ amount: 108_25, paid: 108_25, balance: 0 }]);
    await expectTrue();
  });

  test('waits for a credit that the office has taken off already', async () => {
    const rest = await payRest();
    const credit = await request({ ...WHOLE, effect: 'credited' });
    await script({ fault: 'reset', when: 'after', command: 'refund' });
    await sweepAt(1);
    await write(108_25, 8_25);
    const second = await request({ ...WHOLE, nothingDue: true }, rest);
    expect(await stateOf(credit)).toMatchObject({ state: 'unknown' });
    // Only the second one is due.
    await sweepAt(0);
    expect(await stateOf(second)).toMatchObject({ state: 'waiting' });
    for (const seconds of [10, 100]) await sweepAt(seconds);
    expect(await stateOf(credit)).toMatchObject({ state: 'made' });
    expect(await stateOf(second)).toMatchObject({ state: 'held', heldFor: 'would-be-due' });
    expect(await sumsOf()).toEqual([{ amount: 108_25, paid: 108_25, balance: 0 }]);
    await expectTrue();
  });

  test('waits while somebody’s refund at the provider may be that of the other payment', async () => {
    const rest = await payRest();
    await write(108_25, 8_25);
    const first = await request({ ...WHOLE, nothingDue: true });
    const second = await request({ ...WHOLE, nothingDue: true }, rest);
    const { key } = await byHand('refund', '108.25');
    await sweepAt(1);
    expect(await stateOf(first)).toMatchObject({ state: 'held', heldFor: 'unclaimed' });
    expect(await stateOf(second)).toMatchObject({ state: 'waiting' });
    const proved = { transactionKey: String(key), reference: '1', batchKey: null };
    await decideRefund(portal.deps, {
      intentId: sale.paymentId,
      decision: { event: 'adopt', refundId: first, method: 'refund', ...proved },
    });
    await sweepAt(100);
    expect(await stateOf(second)).toMatchObject({ state: 'held', heldFor: 'would-be-due' });
    expect(await rowsThere(rest)).toEqual(['L 108.25']);
    await expectTrue();
  });
});

describe('is not sent', () => {
  test('while payments are closed after a restore', async () => {
    await closeBatch();
    const refundId = await request(PART);
    await db().execute(sql`UPDATE deployment SET restore_noticed_at = engine_now()`);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting' });
    expect(await rowsThere()).toEqual(['L 108.25']);
    await db().execute(sql`UPDATE deployment SET restore_noticed_at = NULL`);
    await sweepAt(30);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
  });

  test('by a copy of the books under another address', async () => {
    await closeBatch();
    const refundId = await request(PART);
    await pass(1);
    const [accountId = 0] = await listRefundingAccounts(db());
    const env = { ...portal.deps.env, PUBLIC_URL: 'https://copy.example.com' };
    await sweepRefunds({ ...portal.deps, env }, { accountId });
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting' });
    const late = await readPortalState(db(), { publicUrl: env.PUBLIC_URL });
    expect(late.refundLagSeconds, 'nor is it late there').toBe(0);
  });

  test('by a worker whose lease was taken over', async () => {
    await closeBatch();
    const refundId = await request(PART);
    await pass(1);
    const { intentId, fence } = { intentId: sale.paymentId, fence: 0 };
    await db().execute(sql`UPDATE refund SET fence = 2, looked_at = engine_now() WHERE id = ${refundId}`);
    const decision = { event: 'send', refundId, fence, method: 'refund' } as const;
    expect(await decideRefund(portal.deps, { intentId, decision })).toEqual({ result: 'unmoved' });
  });

  test('after a look that is more than two minutes old', async () => {
    await closeBatch();
    const refundId = await request(PART);
    await db().execute(sql`
      UPDATE refund SET looked_at = engine_now() - interval '121 seconds' WHERE id = ${refundId}`);
    const decision = { event: 'send', refundId, method: 'refund' } as const;
    expect(await decideRefund(portal.deps, { intentId: sale.paymentId, decision })).toMatchObject({
      result: 'barred',
      heldFor: null,
    });
  });
});

test('a process that dies while sending leaves a row that is looked for', async () => {
  await closeBatch();
  const refundId = await request(PART);
  await db().execute(sql`UPDATE refund SET looked_at = engine_now() WHERE id = ${refundId}`);
  const decision = { event: 'send', refundId, method: 'refund' } as const;
  expect(await decideRefund(portal.deps, { intentId: sale.paymentId, decision })).toEqual({
    result: 'applied',
  });
  await sweepAt(30);
  expect(await stateOf(refundId), 'its lease goes on').toMatchObject({ state: 'sending' });
  await sweepAt(31);
  expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
  await sweepPastProof();
  expect(await stateOf(refundId)).toMatchObject({ state: 'not_made' });
  expect(await rowsThere()).toEqual(['L 108.25']);
});

test('a charge that is not collected after all drops its refunds', async () => {
  const invoice = await makeInvoice(db());
  await emulator.script({ fault: 'status', status: 500, when: 'before', command: 'capture', times: 1 });
  await guestPays(invoice);
  const accepted = await makeRefundable(db(), invoice);
  const refundId = await request(PART, accepted);
  await byHand('void', undefined, accepted);
  await sweepAll();
  expect(await stateOf(refundId)).toMatchObject({ state: 'withdrawn' });
  await expectTrue();
});

test('a process that slept through its deadline writes nothing', () => {
  let now = 0;
  const millisecondsLeft = countDeadline(() => now);
  expect(millisecondsLeft()).toBe(20_000);
  now = 19_999;
  expect(millisecondsLeft()).toBe(5_001);
  now = 20_001;
  expect(millisecondsLeft()).toBe(0);
});

describe('once the engine’s clock, which was ahead, is set back', () => {
  const TEN_DAYS = 10 * 24 * 60 * 60;

  /** Sweeps while the engine's clock is ahead, and at once when it is right again. */
  async function sweepAhead(): Promise<void> {
    await advanceEngineClock(portal.deps, TEN_DAYS);
    await sweepAt(1);
    await advanceEngineClock(portal.deps, -TEN_DAYS);
  }

  test('a refund that waits for the settlement goes on', async () => {
    const refundId = await request(PART);
    await sweepAhead();
    await closeBatch();
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting' });
    await endWaitsAhead(portal.deps);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    await expectTrue();
  });

  test('a refund goes on whose worker died', async () => {
    const refundId = await request(WHOLE);
    await advanceEngineClock(portal.deps, TEN_DAYS);
    const { PUBLIC_URL: publicUrl } = portal.deps.env;
    for (const accountId of await listRefundingAccounts(db()))
      await leaseRefunds(db(), { publicUrl, accountId });
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting' });
    await advanceEngineClock(portal.deps, -TEN_DAYS);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    await expectTrue();
  });

  test('a refund whose answer was lost is ruled out a quarter of an hour later', async () => {
    await closeBatch();
    const refundId = await request(WHOLE);
    await script({ fault: 'reset', when: 'before', command: 'refund' });
    await sweepAhead();
    await endWaitsAhead(portal.deps);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'unknown' });
    await sweepPastProof();
    expect(await stateOf(refundId)).toMatchObject({ state: 'not_made' });
    await expectTrue();
  });

  test('a refund waits a quarter of an hour for a void that may still land', async () => {
    const refundId = await request(WHOLE);
    await script({ fault: 'wrong', when: 'before', command: 'void', answer: errorAnswer(117) });
    await sweepAhead();
    await closeBatch();
    await endWaitsAhead(portal.deps);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting' });
    await sweepAt(1000);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made', method: 'refund' });
    await expectTrue();
  });

  test('a refund waits as long for a void of another refund, which ended then', async () => {
    const first = await request(WHOLE);
    await script({ fault: 'wrong', when: 'before', command: 'void', answer: errorAnswer(117) });
    await sweepAhead();
    await decideRefund(portal.deps, {
      intentId: sale.paymentId,
      decision: { event: 'withdraw', refundId: first },
    });
    await closeBatch();
    const refundId = await request(PART);
    await endWaitsAhead(portal.deps);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'waiting', waitsFor: 'settlement' });
    await sweepAt(1000);
    expect(await stateOf(refundId)).toMatchObject({ state: 'made', method: 'refund' });
    await expectTrue();
  });

  test('a refund made by hand is seen, however many sales were made since', async () => {
    await closeBatch();
    const before = await request(PART);
    await sweepAhead();
    expect(await stateOf(before)).toMatchObject({ state: 'made' });
    await byHand('refund', '5.00');
    await sellPage();
    const refundId = await request(PART);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'unclaimed', method: null });
    await expectTrue();
  });

  test('what a reading shows then is known up to now', async () => {
    await closeBatch();
    const first = await request(PART);
    await sweepAhead();
    const second = await request(PART);
    await sweepAt(1);
    for (const refundId of [first, second]) expect(await stateOf(refundId)).toMatchObject({ state: 'made' });
    const { rows } = await db().execute(sql`
      SELECT FROM refund_coverage WHERE covered_until > engine_now() OR covered_until < engine_now() - interval '1 minute'`);
    expect(rows).toEqual([]);
  });

  test('a refund made by hand of a charge begun then is seen, however many sales were made since', async () => {
    await db().execute(sql`DELETE FROM refund_coverage`);
    await advanceEngineClock(portal.deps, TEN_DAYS);
    sale = await paid();
    await advanceEngineClock(portal.deps, -TEN_DAYS);
    await closeBatch();
    await byHand('refund', '5.00');
    await sellPage();
    const refundId = await request(PART);
    await sweepAt(1);
    expect(await stateOf(refundId)).toMatchObject({ state: 'held', heldFor: 'unclaimed', method: null });
    await expectTrue();
  });
});
