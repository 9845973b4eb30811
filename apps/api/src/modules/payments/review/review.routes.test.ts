import { randomUUID } from 'node:crypto';
import type { Payment } from '@brightpane/contract/office/payments';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { TEST_SECRETS } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { chargeState } from '../../../../test/factories/payments/charges.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { auditEvent } from '../../../db/schema/operations.ts';
import { endWaitsAhead } from '../../../jobs/lanes/end-waits-ahead.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();

const DAY = 24 * 60 * 60;
const DECISIONS = ['release', 'close', 'reverse'];

beforeEach(() => emulator.clearFaults());

const office = (method: 'GET' | 'POST', path: string, key: string = TEST_SECRETS.officeApiKey) =>
  portal.app.inject({ method, url: `/api/office${path}`, headers: { authorization: `Bearer ${key}` } });

const decideBy = (chargeId: string, decision: string) => office('POST', `/review/${chargeId}/${decision}`);

async function lastCharge() {
  const last = (await chargesOf(portal.deps)).at(-1);
  if (!last) throw new Error('no charge');
  return last;
}

/** An abandoned charge whose hold could be neither found nor ruled out for a day. */
async function unresolved(when: 'before' | 'after') {
  await emulator.script({ fault: 'reset', when, command: 'authonly' });
  await guestPays(await makeInvoice(db()));
  const charge = await lastCharge();
  await emulator.script({ fault: 'status', status: 500, command: 'list', times: 100 });
  await advanceEngineClock(portal.deps, 6);
  await sweep(portal.deps);
  for (const hours of [25, 1.1]) {
    await advanceEngineClock(portal.deps, hours * 60 * 60);
    await sweep(portal.deps);
  }
  await emulator.clearFaults();
  // The account rests after lists that weren't answered.
  await advanceEngineClock(portal.deps, 61);
  expect(await chargeState(portal.deps, charge.id)).toBe('unresolved');
  return charge;
}

/** An accepted charge whose captures failed for a day. */
async function uncaptured() {
  const made = await makeInvoice(db());
  await guestPays(made);
  const charge = await lastCharge();
  await emulator.script({ fault: 'status', status: 500, when: 'before', command: 'capture', times: 100 });
  await sweep(portal.deps);
  await advanceEngineClock(portal.deps, DAY + 60);
  await sweep(portal.deps);
  expect(await chargeState(portal.deps, charge.id)).toBe('accepted');
  return { ...made, charge };
}

const providerKey = async (orderId: string) =>
  (await emulator.ledger()).find((row) => row.orderid === orderId)?.key;

/** What the office reads of headquarters in the payment's timeline, by its words: these tests advance one of its clocks. */
async function timelineOf({ intentId }: { intentId: string }) {
  const { timeline } = (await office('GET', `/payments/${intentId}`)).json<Payment>();
  return timeline
    .filter(({ kind }) => kind === 'review')
    .map(({ at, text }) => ({ at, text }))
    .toSorted((one, other) => one.text.localeCompare(other.text));
}

async function auditOf(chargeId: string) {
  const rows = await db()
    .select()
    .from(auditEvent)
    .where(eq(auditEvent.subject, `charge ${chargeId}`));
  return rows.map(({ actor, action }) => ({ actor, action }));
}

describe('a charge that nobody could rule out', () => {
  test('is listed, released by a person, and gone from the list', async () => {
    const charge = await unresolved('after');
    const listed = (await office('GET', '/review')).json();
    expect(listed).toMatchObject([
      {
        chargeId: charge.id,
        state: 'unresolved',
        amount: 108.25,
        workOrders: [{}],
        franchiseNames: [expect.stringMatching(/^Franchise \d+$/)],
      },
    ]);
    const [looking, ...none] = await timelineOf(charge);
    expect([looking?.text, none]).toEqual(['Headquarters is looking at it', []]);
    const answer = await decideBy(charge.id, 'release');
    expect(answer.json()).toEqual({ chargeId: charge.id, state: 'releasing' });
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.id)).toBe('released');
    expect(await timelineOf(charge)).toEqual([
      { at: expect.any(String), text: 'Headquarters asked to give the hold back' },
      { at: looking?.at, text: 'Headquarters began to look at it' },
    ]);
    expect((await office('GET', '/review')).json()).toEqual([]);
    expect(await auditOf(charge.id)).toEqual([{ actor: 'key:environment', action: 'review: release' }]);
    await expectBalanced();
  });

  test('is closed by a person who has looked', async () => {
    const charge = await unresolved('before');
    expect((await decideBy(charge.id, 'release')).statusCode).toBe(409);
    expect((await decideBy(charge.id, 'close')).json()).toEqual({ chargeId: charge.id, state: 'absent' });
    expect((await timelineOf(charge)).at(-1)?.text).toBe('Headquarters closed it');
    expect(await auditOf(charge.id)).toEqual([{ actor: 'key:environment', action: 'review: close' }]);
    await expectBalanced();
  });

  test('is not closed while the provider shows a hold', async () => {
    const charge = await unresolved('after');
    expect((await decideBy(charge.id, 'close')).statusCode).toBe(409);
    expect(await chargeState(portal.deps, charge.id)).toBe('unresolved');
    await decideBy(charge.id, 'release');
    await sweepAll();
  });

  test('and began while the engine’s clock was ahead is not closed while any page shows a hold', async () => {
    await advanceEngineClock(portal.deps, 40 * DAY);
    const charge = await unresolved('after');
    await advanceEngineClock(portal.deps, -40 * DAY);
    await endWaitsAhead(portal.deps);
    const creditcard = { number: '4000100011112224', expiration: '1230', cvc: '123' };
    for (let sale = 0; sale < 120; sale++) {
      const body = { command: 'sale', amount: '1.00', creditcard };
      await emulator.callAs('portal', 'POST', '/transactions', body);
    }
    expect((await decideBy(charge.id, 'close')).statusCode).toBe(409);
    expect(await chargeState(portal.deps, charge.id)).toBe('unresolved');
    await decideBy(charge.id, 'release');
    // Later tests take the last charge.
    await advanceEngineClock(portal.deps, 40 * DAY);
    await sweepAll();
  });

  test('is never captured, whatever a person asks for', async () => {
    const charge = await unresolved('after');
    for (const decision of ['reverse', 'capture']) {
      expect([400, 404, 409]).toContain((await decideBy(charge.id, decision)).statusCode);
    }
    expect((await emulator.ledger()).find((row) => row.orderid === charge.orderId)?.trantype_code).toBe('A');
    await decideBy(charge.id, 'release');
    await sweepAll();
  });
});

describe('a payment that cannot be captured for a day', () => {
  test('is reversed by a person, and its invoice is due again', async () => {
    const { charge, invoiceId } = await uncaptured();
    expect((await decideBy(charge.id, 'reverse')).json()).toEqual({
      chargeId: charge.id,
      state: 'reversing',
    });
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.id)).toBe('capture_failed');
    expect((await timelineOf(charge)).map(({ text }) => text)).toEqual([
      'Headquarters asked to take the payment back',
      'Headquarters began to look at it',
    ]);
    const { rows } = await db().execute(sql`SELECT balance_cents FROM invoice WHERE id = ${invoiceId}`);
    expect(rows).toEqual([{ balance_cents: 108_25 }]);
    await expectBalanced();
  });

  test('is not reversed once the provider has captured it', async () => {
    const { charge } = await uncaptured();
    await emulator.clearFaults();
    const trankey = await providerKey(charge.orderId);
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'cc:capture', trankey });
    expect((await decideBy(charge.id, 'reverse')).statusCode).toBe(409);
    await sweepAll();
    expect(await chargeState(portal.deps, charge.id)).toBe('captured');
    await expectBalanced();
  });

  test('is not closed, and not released', async () => {
    const { charge } = await uncaptured();
    for (const decision of ['close', 'release']) {
      expect((await decideBy(charge.id, decision)).statusCode).toBe(409);
    }
    await emulator.clearFaults();
    await sweepAll();
    await advanceEngineClock(portal.deps, 60 * 60);
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.id)).toBe('captured');
  });
});

describe('a decision with a note', () => {
  const decideWith = (chargeId: string, body: object) =>
    callOffice(portal, 'POST', `/review/${chargeId}`, { body });

  test('is the same decision, with the note in the audit', async () => {
    const charge = await unresolved('after');
    const answer = await decideWith(charge.id, { decision: 'release', note: 'Seen at the provider.' });
    expect(answer.json()).toEqual({ chargeId: charge.id, state: 'releasing' });
    const { rows } = await db().execute(sql`
      SELECT actor, action, reason FROM audit_event WHERE subject = ${`charge ${charge.id}`}`);
    expect(rows).toEqual([
      { actor: 'key:environment', action: 'review: release', reason: 'Seen at the provider.' },
    ]);
    await sweepAll();
  });

  test('is refused in the words of the other call', async () => {
    const charge = await unresolved('before');
    const answer = await decideWith(charge.id, { decision: 'release' });
    expect([answer.statusCode, answer.json().detail]).toEqual([
      409,
      'The provider has no hold under this order id.',
    ]);
    expect((await decideWith(randomUUID(), { decision: 'close' })).statusCode).toBe(404);
    for (const body of [{}, { decision: 'capture' }, { decision: 'close', more: 1 }]) {
      expect((await decideWith(charge.id, body)).statusCode).toBe(400);
    }
    await decideWith(charge.id, { decision: 'close' });
  });
});

test.each(DECISIONS)('%s of a charge that is not in review is 404', async (decision) => {
  expect((await decideBy(randomUUID(), decision)).statusCode).toBe(404);
  expect((await decideBy('not-an-id', decision)).statusCode).toBe(400);
});

test('two people who release the same charge at once release it once', async () => {
  const charge = await unresolved('after');
  const answers = await Promise.all([decideBy(charge.id, 'release'), decideBy(charge.id, 'release')]);
  const [winner, loser] = answers.map((answer) => answer.statusCode).sort();
  expect(winner).toBe(200);
  // The second one finds it busy, or no longer on the list.
  expect([404, 409]).toContain(loser);
  await sweepAll();
  await expectBalanced();
});

test.each([
  ['GET', '/review'],
  ['POST', `/review/${randomUUID()}/close`],
  ['POST', '/reconcile'],
  ['POST', `/review/${randomUUID()}`],
  ['GET', '/differences'],
  ['POST', '/differences/1/acknowledge'],
] as const)('%s %s is the office’s alone', async (method, path) => {
  expect((await office(method, path, 'wrong')).statusCode).toBe(401);
});
