import { randomUUID } from 'node:crypto';
import type { RefundList, RefundPage, RefundRequestAnswer } from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { advanceEngineClock, sweep } from '../../../../test/books/books.ts';
import { listViolations } from '../../../../test/books/list-violations.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeOfficeCaller } from '../../../../test/factories/office-keys.ts';
import { makeRefundable, type Refundable } from '../../../../test/factories/requested-refunds.ts';
import {
  callConsole,
  mailsTo,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
  stepUpFor,
  type TestPerson,
} from '../../../../test/office/office-people.ts';
import { usePayments } from '../../../../test/use-payments.ts';

const { emulator, portal, db, guestPays, sweepAll } = usePayments(() => OFFICE_SETTINGS);

type Sale = Refundable & { franchiseId: number; workOrderNumber: number };
type Signed = { cookie: string; person: TestPerson };
type Role = NonNullable<NonNullable<Parameters<typeof makeStaff>[1]>['role']>;
type Line = { amount?: unknown; services?: unknown; tip?: unknown; effect?: string };

let sale: Sale;
let clerk: Signed;
let owner: Signed;

beforeEach(async () => {
  await emulator.clearFaults();
  const invoice = await makeInvoice(db());
  const { franchiseId, workOrderNumber } = invoice;
  await guestPays(invoice, { email: 'payer@example.com', tipAmount: 5 });
  await sweepAll();
  sale = { ...(await makeRefundable(db(), invoice)), franchiseId, workOrderNumber };
  clerk = await sign('clerk');
  owner = await sign('owner');
});

async function sign(role: Role, franchiseIds = [sale.franchiseId]): Promise<Signed> {
  const isHq = role === 'admin' || role === 'finance' || role === 'support';
  const person = await makeStaff(portal, { role, franchiseIds: isHq ? [] : franchiseIds });
  return { person, cookie: await signInStaff(portal, person) };
}

/** A person's call, with a second factor if it needs one. */
async function call(
  who: Signed,
  method: 'GET' | 'POST',
  path: string,
  given: { body?: unknown; key?: string; confirmed?: boolean } = {},
) {
  const { body, key, confirmed = false } = given;
  const factor = confirmed ? await stepUpFor(portal, who, { method, path, body }) : {};
  const headers = { ...factor, ...(key !== undefined && { 'idempotency-key': key }) };
  return callConsole(portal, method, path, { cookie: who.cookie, headers, body });
}

const bodyOf = (line: Line, rest: object = {}) => ({
  reason: 'complaint',
  lines: [{ franchiseId: sale.franchiseId, workOrderNumber: sale.workOrderNumber, ...line }],
  ...rest,
});

const request = (
  line: Line,
  given: { who?: Signed; key?: string; confirmed?: boolean; rest?: object } = {},
) => {
  const { who = clerk, key = randomUUID(), confirmed = false, rest } = given;
  const path = `/payments/${sale.paymentId}/refunds`;
  return call(who, 'POST', path, { body: bodyOf(line, rest), key, confirmed });
};

async function requested(
  line: Line,
  given: Parameters<typeof request>[1] = {},
): Promise<RefundRequestAnswer> {
  const answer = await request(line, given);
  expect(answer.statusCode, answer.body).toBe(202);
  return answer.json();
}

const refundOf = ({ refunds }: RefundRequestAnswer) => {
  const [refund] = refunds;
  if (!refund) throw new Error('no refund');
  return refund;
};

const read = async (refundId: string, who = clerk) =>
  (await call(who, 'GET', `/refunds/${refundId}`)).json<RefundPage>();

const codeOf = (answer: { json: <T>() => T }) =>
  answer.json<{ errors?: { code: string; field?: string }[]; detail?: string }>().errors?.[0]?.code;
const detailOf = (answer: { json: <T>() => T }) => answer.json<{ detail: string }>().detail;

async function sweepAt(seconds: number): Promise<void> {
  await advanceEngineClock(portal.deps, seconds);
  await emulator.advanceClock(seconds);
  await sweep(portal.deps);
}
const closeBatch = () => emulator.callAs('portal', 'POST', '/batches/current/close');
const byHand = async (command: string, amount?: string) => {
  const row = (await emulator.ledger()).find((each) => each.orderid === sale.orderId);
  return emulator.callAs('portal', 'POST', '/transactions', {
    command,
    trankey: row?.key,
    ...(amount && { amount }),
  });
};
const setLimits = (limit: number, day: number) =>
  db().execute(sql`
    UPDATE franchise SET refund_limit_cents = ${limit}, refund_day_limit_cents = ${day}
     WHERE id = ${sale.franchiseId}`);

describe('a request', () => {
  test('of everything takes the tip along, and is voided before the settlement', async () => {
    const refund = refundOf(await requested({ effect: 'due-again' }));
    expect(refund).toMatchObject({
      state: 'waiting',
      words: 'Waits to be sent',
      amount: 113.25,
      safeToSendAgain: false,
      lines: [{ invoice: 100, tax: 8.25, tip: 5, effect: 'due-again', dueAgain: 108.25 }],
      card: { brand: 'Visa', lastFour: '2224' },
      requestedBy: 'Robin Example',
    });
    await sweepAt(1);
    const made = await read(refund.refundId);
    expect(made).toMatchObject({
      state: 'made',
      method: 'void',
      words: 'Charge voided. It disappears from the statement.',
    });
    expect(made.timeline.map(({ event, to, text, detail }) => [event, to, text, detail])).toEqual([
      ['request', 'waiting', 'Requested', null],
      ['send', 'sending', 'Sent to the provider', 'As a void of the whole charge'],
      ['confirm', 'made', 'Made: the provider’s record shows it', 'As a void of the whole charge'],
      ['mail', null, 'Mail about the refund queued', 'payer@example.com'],
    ]);
    const [mail] = (await mailsTo(portal, 'payer@example.com')).slice(-1);
    expect(mail?.text).toContain(`$108.25 is due again on work order ${sale.workOrderNumber}.`);
    expect(await listViolations(db())).toEqual([]);
  });

  test('of an amount is spread by the formula, and of the tip alone touches no balance', async () => {
    expect(refundOf(await requested({ amount: 50, effect: 'due-again' })).lines).toMatchObject([
      { invoice: 46.19, tax: 3.81, tip: 0 },
    ]);
    expect(refundOf(await requested({ tip: 5 })).lines).toMatchObject([
      { invoice: 0, tax: 0, tip: 5, effect: null, dueAgain: 0 },
    ]);
  });

  test('is one request however often it is sent under its key', async () => {
    const key = randomUUID();
    const first = await requested({ tip: 1 }, { key });
    const again = await request({ tip: 1 }, { key });
    expect(again.statusCode).toBe(202);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json<RefundRequestAnswer>().requestId).toBe(first.requestId);
    const other = await request({ tip: 2 }, { key });
    expect([other.statusCode, codeOf(other)]).toEqual([422, 'KeyReused']);
    expect(detailOf(other)).toBe('This refund was begun with other details. Please load the page again.');
  });

  test('is shown beside its payment, with what is left', async () => {
    await closeBatch();
    await requested({ amount: 50, effect: 'due-again' });
    await sweepAt(1);
    const page = (await call(clerk, 'GET', `/payments/${sale.paymentId}`)).json<{
      refunds: object[];
      refundable: object[];
      shares: { lines: { refunded: number }[] }[];
    }>();
    expect(page.refunds).toMatchObject([{ state: 'made', amount: 50 }]);
    expect(page.refundable).toMatchObject([{ invoice: 53.81, tax: 4.44, tip: 5, overpaid: 0 }]);
    expect(page.shares[0]?.lines[0]?.refunded).toBe(50);
  });

  const refusals: [string, Line, object, number, string, string][] = [
    [
      'needs its effect',
      { amount: 5 },
      {},
      400,
      'EffectMissing',
      'Please say whether work order N is due again or credited.',
    ],
    [
      'needs an amount',
      { tip: 0 },
      {},
      400,
      'NothingChosen',
      'Please choose an amount or a tip for work order N.',
    ],
    [
      'of another reason needs a note',
      { tip: 1 },
      { reason: 'other' },
      400,
      'NoteMissing',
      'Please add a note.',
    ],
    [
      'is never more than is left',
      { amount: 108.26, effect: 'due-again' },
      {},
      409,
      'MoreThanLeft',
      'At most $108.25 of work order N can still be refunded.',
    ],
    [
      'is never more than the tip',
      { tip: 5.01 },
      {},
      409,
      'MoreThanLeft',
      'At most $5.00 of work order N can still be refunded.',
    ],
  ];
  test.each(refusals)('%s', async (_says, line, rest, status, code, detail) => {
    const answer = await request(line, { rest });
    expect([answer.statusCode, codeOf(answer)]).toEqual([status, code]);
    expect(detailOf(answer)).toBe(detail.replace('N', String(sale.workOrderNumber)));
  });

  test('names each work order once, and only those of the payment', async () => {
    const { franchiseId, workOrderNumber } = sale;
    const path = `/payments/${sale.paymentId}/refunds`;
    const twice = {
      ...bodyOf({ tip: 1 }),
      lines: [1, 2].map(() => ({ franchiseId, workOrderNumber, tip: 1 })),
    };
    const repeated = await call(clerk, 'POST', path, { body: twice, key: randomUUID() });
    expect(detailOf(repeated)).toBe(`Work order ${workOrderNumber} is in this refund twice.`);
    const stranger = {
      ...bodyOf({}),
      lines: [{ franchiseId, workOrderNumber: workOrderNumber + 1, tip: 1 }],
    };
    const missing = await call(clerk, 'POST', path, { body: stranger, key: randomUUID() });
    expect([missing.statusCode, detailOf(missing)]).toEqual([
      404,
      `Work order ${workOrderNumber + 1} is not in this payment.`,
    ]);
    const keyless = await call(clerk, 'POST', path, { body: bodyOf({ tip: 1 }) });
    expect([keyless.statusCode, codeOf(keyless)]).toEqual([400, 'IdempotencyKeyMissing']);
  });

  test('waits for what is under way, and asks before the same goes back twice', async () => {
    await requested({ amount: 100, effect: 'due-again' });
    const beyond = await request({ amount: 100, effect: 'due-again' });
    expect([beyond.statusCode, codeOf(beyond), detailOf(beyond)]).toEqual([
      409,
      'RefundUnderWay',
      '$100.00 of this payment is being refunded already.',
    ]);
    await requested({ tip: 1 });
    const same = await request({ tip: 1 });
    expect([codeOf(same), detailOf(same)]).toEqual([
      'SameAgain',
      'The same amount was requested less than a minute ago. Confirm that it goes back a second time.',
    ]);
    await requested({ tip: 1 }, { rest: { again: true } });
  });

  test('is refused where everything has gone back', async () => {
    await requested({ effect: 'due-again' });
    await sweepAt(1);
    const answer = await request({ effect: 'due-again' });
    expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'AlreadyRefunded']);
  });

  test('returns what is overpaid before anything is credited, and says that nothing is due', async () => {
    await db().execute(
      sql`UPDATE invoice SET amount_cents = 8825, tax_cents = 673 WHERE id = ${sale.invoiceId}`,
    );
    const first = await request({ amount: 5, effect: 'credited' });
    expect([codeOf(first), detailOf(first)]).toEqual([
      'OverpaidFirst',
      `Work order ${sale.workOrderNumber} is overpaid by $20.00. Return that first; it makes nothing due.`,
    ]);
    const { lines } = refundOf(await requested({ amount: 20, effect: 'due-again', services: 0 }));
    expect(lines).toMatchObject([{ invoice: 18.48, tax: 1.52, dueAgain: 0 }]);
  });

  test('of a payment with a credit of the payer, the credit goes back with it, or nothing does', async () => {
    const invoice = await makeInvoice(db(), { franchiseId: sale.franchiseId });
    await guestPays(invoice, { additionalServiceAmount: -10, additionalServicesNote: 'As agreed' });
    await sweep(portal.deps);
    sale = { ...sale, ...(await makeRefundable(db(), invoice)), workOrderNumber: invoice.workOrderNumber };
    const kept = await request({ amount: 50, effect: 'due-again', services: 0 });
    expect([kept.statusCode, codeOf(kept)]).toEqual([409, 'MoreThanLeft']);
    const { lines } = refundOf(await requested({ amount: 48.71, effect: 'due-again' }));
    expect(lines).toMatchObject([{ invoice: 50, tax: 4.13, services: -5, servicesTax: -0.42 }]);
  });

  test('is refused while the charge is disputed, which is recorded here', async () => {
    const body = { chargeId: sale.chargeId, amount: 20, openedOn: '2026-11-01' };
    expect((await call(clerk, 'POST', '/disputes', { body })).statusCode).toBe(403);
    expect((await call(owner, 'POST', '/disputes', { body })).statusCode).toBe(201);
    const answer = await request({ tip: 1 });
    expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'Disputed']);
  });

  test('is refused while the books are compared after a restore', async () => {
    await db().execute(sql`UPDATE deployment SET restore_noticed_at = engine_now()`);
    const answer = await request({ tip: 1 });
    await db().execute(sql`UPDATE deployment SET restore_noticed_at = NULL`);
    expect([answer.statusCode, codeOf(answer), answer.headers['retry-after']]).toEqual([
      503,
      'RefundsClosed',
      '60',
    ]);
  });

  test('waits for others a moment only, and is sent again under its key', async () => {
    const key = randomUUID();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isHeld = new Promise<void>((begun, failed) => {
      portal.deps.db
        .transaction(async (tx) => {
          await tx.execute(sql`SELECT FROM payment_intent WHERE id = ${sale.paymentId} FOR UPDATE`);
          begun();
          await held;
        })
        .catch(failed);
    });
    await isHeld;
    const answer = await request({ tip: 1 }, { key });
    release();
    expect([answer.statusCode, codeOf(answer), answer.headers['retry-after']]).toEqual([503, 'Busy', '2']);
    expect(detailOf(answer)).toBe('We are busy at the moment. Please try again.');
    expect((await request({ tip: 1 }, { key })).statusCode).toBe(202);
  });

  test('of two clerks at once leaves nothing beyond what was paid', async () => {
    const other = await sign('clerk');
    const answers = await Promise.all(
      [clerk, other].map((who) => request({ amount: 100, effect: 'due-again' }, { who })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409]);
  });
});

describe('above the limits', () => {
  test('a request needs a second factor, and another person, once for all of it', async () => {
    await setLimits(20_00, 1000_00);
    const bare = await request({ amount: 50, effect: 'due-again' });
    expect([bare.statusCode, codeOf(bare)]).toEqual([403, 'StepUpRequired']);
    const answer = await requested({ amount: 50, effect: 'due-again' }, { who: owner, confirmed: true });
    expect(answer.needsApproval).toBe(true);
    const { refundId, words } = refundOf(answer);
    expect(words).toBe('Waits for approval');
    await closeBatch();
    await sweepAt(1);
    expect((await read(refundId)).state).toBe('requested');

    const approve = (who: Signed, confirmed = true) =>
      call(who, 'POST', `/refunds/${refundId}/approve`, { body: {}, confirmed });
    expect(codeOf(await approve(owner))).toBe('OwnRequest');
    expect((await approve(clerk)).statusCode).toBe(403);
    const finance = await sign('finance');
    expect(codeOf(await approve(finance, false))).toBe('StepUpRequired');
    const approved = await approve(finance);
    expect(approved.statusCode, approved.body).toBe(200);
    expect(codeOf(await approve(await sign('finance')))).toBe('NotRequested');
    await sweepAt(1);
    expect(await read(refundId)).toMatchObject({ state: 'made', approvedBy: 'Robin Example' });
    expect(await listViolations(db())).toEqual([]);
  });

  test('those who may approve are told, and nobody else', async () => {
    await setLimits(0, 0);
    await requested({ tip: 1 }, { confirmed: true });
    const subjects = async ({ person }: Signed) =>
      (await mailsTo(portal, person.email)).map(({ subject }) => subject);
    expect(await subjects(owner)).toContain('A refund of $1.00 waits for approval');
    expect(await subjects(clerk)).not.toContain('A refund of $1.00 waits for approval');
  });

  test.each([
    ['of a payment', 20_00, 1000_00],
    ['of a day', 1000_00, 20_00],
  ])('several requests count together against the limit %s', async (_says, limit, day) => {
    await setLimits(limit, day);
    expect((await requested({ amount: 15, effect: 'due-again' })).needsApproval).toBe(false);
    expect(codeOf(await request({ amount: 6, effect: 'due-again' }))).toBe('StepUpRequired');
    expect((await requested({ tip: 5 })).needsApproval).toBe(false);
  });

  test('a key asks within its limits, and not above', async () => {
    const caller = await makeOfficeCaller(portal, { franchiseId: sale.franchiseId });
    const ask = (amount: number) =>
      caller('POST', `/payments/${sale.paymentId}/refunds`, {
        body: bodyOf({ amount, effect: 'due-again' }),
        headers: { 'idempotency-key': randomUUID() },
      });
    await setLimits(20_00, 1000_00);
    expect((await ask(10)).statusCode).toBe(202);
    const above = await ask(20);
    expect([above.statusCode, codeOf(above)]).toEqual([403, 'PersonNeeded']);
  });
});

describe('what is not sent yet', () => {
  test('is withdrawn by who asked, and not by another clerk', async () => {
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    const withdraw = (who: Signed) =>
      call(who, 'POST', `/refunds/${refundId}/withdraw`, { body: { note: 'A mistake.' } });
    expect((await withdraw(await sign('clerk'))).statusCode).toBe(403);
    const done = await withdraw(clerk);
    expect(done.json()).toMatchObject({ state: 'withdrawn', words: 'Withdrawn. Nothing was sent.' });
    const again = await withdraw(clerk);
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'Ended']);
    await requested({ effect: 'due-again' });
  });

  test('cannot be withdrawn once it is on its way', async () => {
    await closeBatch();
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: sale.orderId });
    await sweepAt(1);
    const answer = await call(clerk, 'POST', `/refunds/${refundId}/withdraw`, {
      body: { note: 'Too late?' },
    });
    expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'TooLate']);
    const again = await call(clerk, 'POST', `/refunds/${refundId}/send-again`, {
      body: {},
      key: randomUUID(),
    });
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'StillOpen']);
  });
});

describe('what came to nothing', () => {
  async function ruledOut(): Promise<string> {
    await closeBatch();
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: sale.orderId });
    for (const seconds of [1, 10, 1000, 70]) await sweepAt(seconds);
    expect(await read(refundId)).toMatchObject({
      state: 'not-made',
      safeToSendAgain: true,
      words: 'Not made. Nothing went back. It is safe to send again.',
    });
    return refundId;
  }

  test('is sent again once, as a new request that names it', async () => {
    const refundId = await ruledOut();
    const again = await call(clerk, 'POST', `/refunds/${refundId}/send-again`, {
      body: {},
      key: randomUUID(),
    });
    expect(again.statusCode, again.body).toBe(202);
    const [successor] = again.json<RefundRequestAnswer>().refunds;
    expect(successor).toMatchObject({ retryOf: refundId, amount: 5 });
    const twice = await call(clerk, 'POST', `/refunds/${refundId}/send-again`, {
      body: {},
      key: randomUUID(),
    });
    expect([twice.statusCode, codeOf(twice)]).toEqual([409, 'SentAgainAlready']);
    await sweepAt(1);
    expect(await read(successor?.refundId ?? '')).toMatchObject({ state: 'made' });
    const [mail] = (await mailsTo(portal, clerk.person.email)).slice(-1);
    expect(mail?.text).toContain('Not made. Nothing went back.');
  });

  test('needs a person until it is closed with a note', async () => {
    const refundId = await ruledOut();
    const needs = async () =>
      (await call(clerk, 'GET', '/refunds?needs=person'))
        .json<RefundList>()
        .items.map((each) => each.refundId);
    expect(await needs()).toContain(refundId);
    const closed = await call(clerk, 'POST', `/refunds/${refundId}/withdraw`, {
      body: { note: 'Paid by check.' },
    });
    expect(closed.statusCode).toBe(200);
    expect(await needs()).not.toContain(refundId);
  });
});

describe('a held refund', () => {
  let admin: Signed;
  beforeEach(async () => {
    admin = await sign('admin');
    await closeBatch();
  });

  async function held(): Promise<string> {
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await byHand('refund', '5.00');
    await sweepAt(1);
    expect(await read(refundId)).toMatchObject({
      state: 'held',
      heldFor: 'unclaimed',
      words: 'Needs a decision: the provider shows a refund that nobody has claimed.',
    });
    return refundId;
  }
  const decide = (refundId: string, body: object, confirmed = true) =>
    call(admin, 'POST', `/refunds/${refundId}/decide`, { body: { note: 'Looked.', ...body }, confirmed });

  test('is made of the provider’s own when it is adopted', async () => {
    const refundId = await held();
    const [candidate] = (await read(refundId, admin)).candidates ?? [];
    expect(candidate).toMatchObject({ amount: 5, isVoided: false });
    expect(codeOf(await decide(refundId, { decision: 'adopt' }))).toBe('TransactionKeyMissing');
    expect(codeOf(await decide(refundId, { decision: 'adopt', transactionKey: 'enfnone' }))).toBe(
      'NoSuchTransaction',
    );
    const transactionKey = candidate?.transactionKey;
    expect(codeOf(await decide(refundId, { decision: 'adopt', transactionKey }, false))).toBe(
      'StepUpRequired',
    );
    const adopted = await decide(refundId, { decision: 'adopt', transactionKey });
    expect(adopted.json()).toMatchObject({ state: 'made', method: 'refund' });
    expect((await emulator.ledger()).filter((row) => row.orderid === sale.orderId)).toHaveLength(2);
    expect(await listViolations(db())).toEqual([]);
  });

  test('goes on past what a person has seen', async () => {
    const refundId = await held();
    expect((await decide(refundId, { decision: 'keep-asking' })).json()).toMatchObject({ state: 'waiting' });
    await sweepAt(1);
    expect(await read(refundId)).toMatchObject({ state: 'made' });
  });

  test('blocks another request of its charge', async () => {
    await held();
    const answer = await request({ tip: 1 });
    expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'RefundHeld']);
  });

  test('that was not sent cannot be said not to be made, and an open one waits for no decision', async () => {
    const refundId = await held();
    expect(codeOf(await decide(refundId, { decision: 'not-made' }))).toBe('RecordsUnclear');
    await decide(refundId, { decision: 'keep-asking' });
    expect(codeOf(await decide(refundId, { decision: 'keep-asking' }))).toBe('NotHeld');
  });

  test('that was sent is ruled out by a whole listing, unless that shows one that nobody owns', async () => {
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: sale.orderId });
    await sweepAt(1);
    await byHand('refund', '5.00');
    await byHand('refund', '5.00');
    await sweepAt(10);
    expect(await read(refundId)).toMatchObject({ state: 'held', heldFor: 'several-candidates' });
    expect(codeOf(await decide(refundId, { decision: 'not-made' }))).toBe('UnclaimedRefund');
  });

  test('a made one is undone with the provider’s record in hand, and not without', async () => {
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await sweepAt(1);
    expect(codeOf(await decide(refundId, { decision: 'not-made' }))).toBe('RecordsUnclear');
    const row = (await emulator.ledger()).findLast((each) => each.orderid === sale.orderId);
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'void', trankey: row?.key });
    const undone = await decide(refundId, { decision: 'not-made' });
    expect(undone.statusCode, undone.body).toBe(200);
    expect(undone.json<RefundPage>().undoneAt).not.toBeNull();
    const { rows } = await db().execute<{ balance: number }>(sql`
      SELECT balance_cents AS balance FROM invoice WHERE id = ${sale.invoiceId}`);
    expect(rows[0]?.balance).toBe(0);
    expect(await listViolations(db())).toEqual([]);
  });
});

describe('the list', () => {
  test('shows one’s own offices, by filters, page by page', async () => {
    const { refundId } = refundOf(await requested({ tip: 1 }));
    const ids = async (who: Signed, query: string) =>
      (await call(who, 'GET', `/refunds?${query}`)).json<RefundList>().items.map((each) => each.refundId);
    expect(await ids(clerk, '')).toEqual([refundId]);
    expect(await ids(clerk, 'state=waiting&reason=complaint&minAmount=1&maxAmount=1.00')).toEqual([refundId]);
    expect(await ids(clerk, 'state=made')).toEqual([]);
    expect(await ids(clerk, `search=${sale.workOrderNumber}&actor=Robin&order=oldest`)).toEqual([refundId]);
    expect(await ids(clerk, 'needs=approval')).toEqual([]);
    const stranger = await makeInvoice(db());
    expect(await ids(await sign('clerk', [stranger.franchiseId]), '')).toEqual([]);
    expect((await call(clerk, 'GET', '/refunds?cursor=made-up')).statusCode).toBe(400);
    const hidden = await call(await sign('clerk', [stranger.franchiseId]), 'GET', `/refunds/${refundId}`);
    expect([hidden.statusCode, detailOf(hidden)]).toEqual([404, 'Refund not found.']);
  });
});
