import type { RefundPage } from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { listViolations } from '../../../../test/books/list-violations.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeRefundable } from '../../../../test/factories/requested-refunds.ts';
import { mailsTo } from '../../../../test/office/office-people.ts';
import { codeOf, detailOf, refundOf, useRefundDesk } from '../../../../test/office/refund-desk.ts';
import { compareBooks } from '../../payments/books/compare-books.ts';
import { decideRefund } from '../../payments/refunds/decide-refund.ts';

const { byHand, call, closeBatch, db, desk, emulator, portal, read, requested, sign, sweepAt, ...rest } =
  useRefundDesk();
const { decide: decideAs, guestPays } = rest;

beforeEach(closeBatch);

/** Decides in a session of now, as time passes in these tests. */
const decide = async (refundId: string, body: object) => decideAs(await sign('admin'), refundId, { body });
const sayNotMade = (refundId: string) => decide(refundId, { decision: 'not-made' });

const request = async () => refundOf(await requested({ amount: 5, effect: 'due-again' })).refundId;
const script = (fault: Record<string, unknown>) => emulator.script({ ...fault, orderId: desk.sale.orderId });

const rowsThere = async () =>
  (await emulator.ledger()).filter(({ orderid }) => orderid === desk.sale.orderId);
const keyThere = async () => (await rowsThere()).find(({ trantype_code: type }) => type === 'C')?.key ?? '';

/** The next read of the refund's own record, which follows a read of the sale, shows this. */
const spoilRecord = (answer: Record<string, unknown>) =>
  script({ fault: 'wrong', command: 'get', after: 1, answer });
const hideRecord = () => script({ fault: 'status', status: 404, command: 'get', after: 1 });

/** Lists show the account's refunds without their order, as the provider leaves out what is unset. */
async function listWithoutOrder(): Promise<void> {
  const list = await emulator.callAs('portal', 'GET', '/transactions?limit=100&offset=0');
  const rows = (list.data as Record<string, unknown>[]).map((row) =>
    row.trantype_code === 'C' ? { ...row, orderid: '' } : row,
  );
  await emulator.script({ fault: 'wrong', command: 'list', times: 1000, answer: { data: rows } });
}

/** Another payment at the desk's office, which no task has captured yet. */
async function payAnew(): Promise<void> {
  const { franchiseId } = desk.sale;
  const invoice = await makeInvoice(db(), { franchiseId });
  await guestPays(invoice, { email: 'payer@example.com' });
  const { workOrderNumber } = invoice;
  Object.assign(desk.sale, await makeRefundable(db(), invoice), { workOrderNumber });
}

/** Sent and answered, and its record shows this instead of what was asked for. */
async function heldFor(reason: string, answer: Record<string, unknown>): Promise<string> {
  const refundId = await request();
  await spoilRecord(answer);
  await sweepAt(1);
  await spoilRecord(answer);
  await sweepAt(10);
  expect(await read(refundId)).toMatchObject({ state: 'held', heldFor: reason });
  return refundId;
}

/** Sent, its answer lost, and held by a restore at once. */
async function heldAtOnce(when: 'before' | 'after'): Promise<string> {
  const refundId = await request();
  await script({ fault: 'reset', when, command: 'refund' });
  await sweepAt(1);
  await hold(refundId);
  return refundId;
}

const hold = (refundId: string) =>
  decideRefund(portal.deps, {
    intentId: desk.sale.paymentId,
    decision: { event: 'hold', refundId, heldFor: 'restored' },
  });

const owed = async () => {
  const { rows } = await db().execute<{ cents: number }>(sql`
    SELECT balance_cents::int AS cents FROM invoice WHERE id = ${desk.sale.invoiceId}`);
  return rows[0]?.cents;
};

const isTold = async () =>
  (await mailsTo(portal, desk.clerk.person.email)).some(({ text }) => text.includes('Nothing went back'));

describe('a refund whose answer named its own record', () => {
  test.each([
    ['no order', 'another-order', { orderid: '' }],
    ['another order', 'another-order', { orderid: 'somebody-elses' }],
    ['a part', 'not-approved', { result_code: 'P', amount: '4.00' }],
  ])('is not "not made" while that record shows money with %s', async (_what, reason, answer) => {
    const refundId = await heldFor(reason, answer);
    await listWithoutOrder();
    await sweepAt(1000);
    await spoilRecord(answer);
    const said = await sayNotMade(refundId);
    expect([said.statusCode, codeOf(said)]).toEqual([409, 'UnclaimedRefund']);
    expect(await read(refundId)).toMatchObject({ state: 'held' });
    expect(await isTold()).toBe(false);
  });

  test('is not "not made" while that record cannot be read', async () => {
    const refundId = await heldFor('another-order', { orderid: '' });
    await listWithoutOrder();
    await sweepAt(1000);
    await script({ fault: 'status', status: 500, command: 'get', after: 1 });
    expect(codeOf(await sayNotMade(refundId))).toBe('RecordsUnclear');
  });

  test('is "not made" once that record shows it voided', async () => {
    const refundId = await heldFor('another-order', { orderid: '' });
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'void', trankey: await keyThere() });
    await sweepAt(1000);
    expect((await sayNotMade(refundId)).json()).toMatchObject({ state: 'not-made' });
    expect(await listViolations(db())).toEqual([]);
  });

  test('is adopted by a person where the record names no order', async () => {
    const refundId = await heldFor('another-order', { orderid: '' });
    await listWithoutOrder();
    await sweepAt(1000);
    await spoilRecord({ orderid: '' });
    await sayNotMade(refundId);
    const [candidate] = (await read(refundId, await sign('admin'))).candidates ?? [];
    expect(candidate).toMatchObject({ transactionKey: await keyThere(), amount: 5, isVoided: false });
    const adopt = { decision: 'adopt', transactionKey: candidate?.transactionKey };
    await spoilRecord({ orderid: 'somebody-elses' });
    expect(codeOf(await decide(refundId, adopt))).toBe('NoSuchTransaction');
    await spoilRecord({ orderid: '', amount: '4.00' });
    expect(codeOf(await decide(refundId, adopt))).toBe('OtherAmount');
    await spoilRecord({ orderid: '', status_code: 'R' });
    expect(codeOf(await decide(refundId, adopt))).toBe('NoSuchTransaction');
    await spoilRecord({ orderid: '' });
    expect((await decide(refundId, adopt)).json()).toMatchObject({ state: 'made', method: 'refund' });
    expect(await listViolations(db())).toEqual([]);
    const { differences } = await compareBooks(portal.deps);
    const ours = (await rowsThere()).map(({ refnum }) => refnum);
    expect(differences.filter(({ reference }) => ours.includes(reference))).toEqual([]);

    // It still names no order when it is voided there.
    expect(await owed()).toBe(5_00);
    const voided = { command: 'void', trankey: candidate?.transactionKey };
    await emulator.callAs('portal', 'POST', '/transactions', voided);
    await spoilRecord({ orderid: 'somebody-elses' });
    expect(codeOf(await sayNotMade(refundId))).toBe('RecordsUnclear');
    await spoilRecord({ orderid: '' });
    expect((await sayNotMade(refundId)).json()).toMatchObject({ undoneAt: expect.any(String) });
    expect(await owed()).toBe(0);
    expect(await listViolations(db())).toEqual([]);
  });
});

describe('a list that may be too young', () => {
  test('is no proof of a person’s "not made" either', async () => {
    const refundId = await heldAtOnce('after');
    await emulator.script({ fault: 'list-stale', seconds: 600, times: 1000 });
    const early = await sayNotMade(refundId);
    expect([codeOf(early), detailOf(early)]).toEqual([
      'TooEarly',
      'The provider may still show it. Say this again in 16 minutes.',
    ]);
    expect(await isTold()).toBe(false);
    await sweepAt(1000);
    expect(codeOf(await sayNotMade(refundId))).toBe('UnclaimedRefund');
  });

  test('is a proof a quarter of an hour after the refund was sent', async () => {
    const refundId = await heldAtOnce('before');
    await sweepAt(880);
    expect(detailOf(await sayNotMade(refundId))).toBe(
      'The provider may still show it. Say this again in 1 minute.',
    );
    await sweepAt(60);
    expect((await sayNotMade(refundId)).json<RefundPage>()).toMatchObject({ state: 'not-made' });
    expect(await listViolations(db())).toEqual([]);
  });
});

test('what an ended refund’s answer named bars the next one once a list shows it, under any order', async () => {
  const refundId = await heldFor('another-order', { orderid: '' });
  await emulator.script({ fault: 'list-stale', seconds: 7200, times: 1000 });
  await sweepAt(1000);
  await hideRecord();
  expect((await sayNotMade(refundId)).json()).toMatchObject({ state: 'not-made' });
  await emulator.clearFaults();
  await listWithoutOrder();
  const next = await request();
  await sweepAt(70);
  expect(await read(next)).toMatchObject({ state: 'held', heldFor: 'unclaimed' });
  expect(await rowsThere()).toHaveLength(2);
  const { rows } = await db().execute(sql`
    SELECT order_id AS "orderId" FROM seen_refund WHERE transaction_key = ${await keyThere()}`);
  expect(rows).toEqual([{ orderId: '' }]);
  expect((await decide(next, { decision: 'keep-asking' })).json()).toMatchObject({ state: 'waiting' });
});

test('a refund taken back here and live again there is nobody’s: it bars the next one, which adopts it', async () => {
  const taken = await request();
  await sweepAt(1);
  const byHand = async (command: string) =>
    emulator.callAs('portal', 'POST', '/transactions', { command, trankey: await keyOf(taken) });
  await byHand('void');
  expect((await sayNotMade(taken)).json<RefundPage>().undoneAt).not.toBeNull();
  await byHand('unvoid');
  const next = await request();
  await sweepAt(60);
  expect(await read(next)).toMatchObject({ state: 'held', heldFor: 'unclaimed' });
  expect(await refundsThere()).toHaveLength(1);
  const key = await keyOf(taken);
  expect(await reported()).toEqual(['unclaimed-refund']);
  expect((await read(next, await sign('admin'))).candidates).toMatchObject([{ transactionKey: key }]);
  const adopted = await decide(next, { decision: 'adopt', transactionKey: key });
  expect(adopted.json()).toMatchObject({ state: 'made', method: 'refund' });
  expect(await listViolations(db())).toEqual([]);
  expect(await reported()).toEqual([]);
  const third = refundOf(await requested({ amount: 4, effect: 'due-again' })).refundId;
  await sweepAt(1);
  expect(await read(third)).toMatchObject({ state: 'made' });
  expect(await refundsThere()).toHaveLength(2);
});

const refundsThere = async () => (await rowsThere()).filter(({ trantype_code: type }) => type === 'C');

async function keyOf(refundId: string): Promise<string> {
  const { rows } = await db().execute<{ key: string }>(sql`
    SELECT transaction_key AS key FROM refund WHERE id = ${refundId}`);
  return rows[0]?.key ?? '';
}

/** What the comparison reports of this sale. */
async function reported(): Promise<string[]> {
  const { differences } = await compareBooks(portal.deps);
  return differences.filter(({ orderId }) => orderId === desk.sale.orderId).map(({ kind }) => kind);
}

describe('"keep asking" lets pass only what was shown', () => {
  const keepAsking = { decision: 'keep-asking' };

  /** Held, as somebody gave 5.00 back by hand, and read by a person. */
  async function readHeld() {
    await byHand('refund', '5.00');
    const { refundId } = refundOf(await requested({ amount: 40, effect: 'due-again' }));
    await sweepAt(1);
    const who = await sign('admin');
    const page = await read(refundId, who);
    expect(page).toMatchObject({ state: 'held', heldFor: 'unclaimed', candidates: [{ amount: 5 }] });
    return { refundId, who, version: page.version };
  }

  test('and not a refund by hand that came after it', async () => {
    const { refundId, who, version } = await readHeld();
    await byHand('refund', '40.00');
    await compareBooks(portal.deps);
    const late = await decideAs(who, refundId, { body: keepAsking, version });
    expect([late.statusCode, codeOf(late)]).toEqual([409, 'EditedMeanwhile']);
    await sweepAt(1);
    expect(await read(refundId, who)).toMatchObject({ state: 'held', heldFor: 'unclaimed' });
    expect((await rowsThere()).filter(({ trantype_code: type }) => type === 'C')).toHaveLength(2);
    expect((await decideAs(who, refundId, { body: keepAsking })).statusCode).toBe(200);
  });

  test('and not another reason', async () => {
    const { refundId, who, version } = await readHeld();
    await db().execute(sql`UPDATE refund SET held_for = 'would-be-due' WHERE id = ${refundId}`);
    expect(codeOf(await decideAs(who, refundId, { body: keepAsking, version }))).toBe('EditedMeanwhile');
    expect(codeOf(await decideAs(who, refundId, { body: keepAsking, version: 1 }))).toBe('EditedMeanwhile');
    expect(await read(refundId)).toMatchObject({ state: 'held' });
  });

  test('and nothing if it does not say what was shown', async () => {
    const { refundId, who } = await readHeld();
    const body = { ...keepAsking, note: 'Looked.' };
    const blind = await call(who, 'POST', `/refunds/${refundId}/decide`, { body, confirmed: true });
    expect([blind.statusCode, codeOf(blind)]).toEqual([428, 'VersionRequired']);
    expect(await read(refundId)).toMatchObject({ state: 'held' });
  });
});

describe('a void that may still land', () => {
  /** Sent while the batch was open, its answer lost, and held at once. */
  async function heldVoid() {
    await payAnew();
    await sweepAt(1);
    const { refundId } = refundOf(await requested({ amount: 108.25, effect: 'due-again' }));
    await script({ fault: 'reset', when: 'before', command: 'void' });
    await sweepAt(1);
    await hold(refundId);
    return refundId;
  }

  test('is not "not made" while its batch is on its way', async () => {
    const refundId = await heldVoid();
    await closeBatch();
    await script({ fault: 'wrong', command: 'get', answer: { status_code: 'B' } });
    expect(codeOf(await sayNotMade(refundId))).toBe('RecordsUnclear');
    expect((await sayNotMade(refundId)).json()).toMatchObject({ state: 'not-made' });
  });
});

describe('a whole refund that a restore brought back before its payment was collected', () => {
  /** At the provider the payment was captured and voided since. */
  async function heldBeforeCapture() {
    await payAnew();
    const { refundId } = refundOf(await requested({ amount: 108.25, effect: 'due-again' }));
    await hold(refundId);
    await byHand('cc:capture');
    await byHand('void:release');
    const [row] = await rowsThere();
    expect(row).toMatchObject({ trantype_code: 'V' });
    return { refundId, adopt: { decision: 'adopt', transactionKey: row?.key } };
  }

  test('is not adopted while the payment may end as not collected, and ends with it', async () => {
    const { refundId, adopt } = await heldBeforeCapture();
    expect((await read(refundId, await sign('admin'))).candidates).toEqual([]);
    expect(codeOf(await decide(refundId, adopt))).toBe('NotCollected');
    await sweepAt(70);
    await sweepAt(70);
    expect(await read(refundId)).toMatchObject({ state: 'withdrawn' });
    expect(codeOf(await decide(refundId, adopt))).toBe('NotHeld');
    expect(await owed()).toBe(108_25);
    expect(await listViolations(db())).toEqual([]);
  });
});
