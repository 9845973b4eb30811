import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aroundCalls } from '../../../../test/around-calls.ts';
import { type ChargeRow, chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { inSleepyProcess } from '../../../../test/books/sleepy-process.ts';
import { sweep, sweepCharges } from '../../../../test/books/sweep.ts';
import { afterStatement } from '../../../../test/database/after-statement.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { guestSale, payAsGuest } from '../../../../test/factories/payments/payments.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { franchise, invoice } from '../../../db/schema/franchises.ts';
import { outgoingMail } from '../../../db/schema/operations.ts';
import { charge } from '../../../db/schema/payments.ts';
import type { Deps } from '../../../deps.ts';
import { openLanes } from '../../../jobs/lanes/open-lanes.ts';
import { systemTimers } from '../../../jobs/timers.ts';
import { findCurrentAccount } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { sealKeys } from '../../merchant-accounts/sealed-keys.ts';
import { decide } from '../engine/decide.ts';
import { restListing } from '../listings/listings.queries.ts';
import { listUnfinishedAccounts, restAccount } from './leases.queries.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();

beforeEach(() => emulator.clearFaults());

const THIRTY_ONE_DAYS = 31 * 24 * 60 * 60;

/** An accepted payment whose capture hasn't been tried. */
async function accepted(given: { email?: string; headers?: Record<string, string> } = {}) {
  const made = await makeInvoice(db());
  const { headers = {}, ...fields } = given;
  const body = await guestSale(emulator, made, fields);
  const answer = await payAsGuest(portal, body, headers);
  expect(answer.statusCode).toBe(200);
  return { ...made, body, headers, charge: await chargeOf(made.invoiceId) };
}

async function chargeOf(invoiceId: number): Promise<ChargeRow> {
  const { rows } = await db().execute<{ id: string }>(sql`
    SELECT a.charge_id AS id FROM charge_allocation a JOIN charge c ON c.id = a.charge_id
     WHERE a.invoice_id = ${invoiceId} ORDER BY c.created_at DESC LIMIT 1`);
  const found = (await chargesOf(portal.deps)).find(({ id }) => id === rows[0]?.id);
  if (!found) throw new Error('no charge');
  return found;
}

async function providerRow(orderId: string) {
  const [row, ...others] = (await emulator.ledger()).filter((each) => each.orderid === orderId);
  if (!row || others.length > 0) throw new Error(`${others.length} other rows of ${orderId}`);
  return row;
}

async function balanceOf(invoiceId: number) {
  const [row] = await db().select().from(invoice).where(eq(invoice.id, invoiceId));
  return row?.balanceCents;
}

const byHand = async (orderId: string, command: string) =>
  emulator.callAs('portal', 'POST', '/transactions', { command, trankey: (await providerRow(orderId)).key });

/** A worker's process, which sleeps before it hears an answer. */
type Sleepy = (sleep: () => void) => Deps;

const sleepyInLook: Sleepy = (sleep) => ({
  ...portal.deps,
  gateways: aroundCalls(portal.deps.gateways, 'find', async (send) => {
    const answer = await send();
    sleep();
    return answer;
  }),
});

const sleepyInLease: Sleepy = (sleep) => afterStatement(portal.deps, /SET\s+lease_until/, sleep);

/** The alerts of a worker while it sweeps. */
async function alertsOfSweep(): Promise<unknown[]> {
  const alerts: unknown[] = [];
  const log = pino({ level: 'error' }, { write: (line) => alerts.push(JSON.parse(line).alert) });
  await advanceEngineClock(portal.deps, 6);
  await sweep({ ...portal.deps, log });
  return alerts;
}

describe('a capture', () => {
  test.each([
    { fault: 'reset', when: 'after' },
    { fault: 'reset', when: 'before' },
    { fault: 'status', status: 500, when: 'after' },
    { fault: 'status', status: 503, when: 'before' },
    { fault: 'html', when: 'after' },
    { fault: 'truncate', when: 'after' },
    { fault: 'empty', when: 'after' },
    { fault: 'status', status: 401, when: 'before' },
    { fault: 'wrong', answer: { result_code: 'E', error_code: 19 } },
  ])('answered with %j happens exactly once, without the payer', async (fault) => {
    const paid = await accepted();
    await emulator.script({ ...fault, command: 'capture' });
    await sweepAll();
    expect((await chargeOf(paid.invoiceId)).state).toBe('captured');
    await expectBalanced();
  });

  test('that somebody made by hand is accepted', async () => {
    const paid = await accepted();
    await byHand(paid.charge.orderId, 'cc:capture');
    await sweepAll();
    expect((await chargeOf(paid.invoiceId)).state).toBe('captured');
    await expectBalanced();
  });

  test('rests for a minute after too many requests', async () => {
    const paid = [await accepted(), await accepted(), await accepted()];
    await emulator.script({ fault: 'status', status: 429, command: 'capture', times: 100 });
    await sweep(portal.deps);
    await sweep(portal.deps);
    const tried = await db().select().from(charge).where(sql`attempts > 0 AND state = 'accepted'`);
    expect(tried).toHaveLength(1);
    await emulator.clearFaults();
    await advanceEngineClock(portal.deps, 61);
    await sweep(portal.deps);
    await advanceEngineClock(portal.deps, 61);
    await sweep(portal.deps);
    for (const { invoiceId } of paid) expect((await chargeOf(invoiceId)).state).toBe('captured');
    await expectBalanced();
  });

  test('that hears of too many requests for a day is seen by a person, and still made later', async () => {
    const paid = await accepted();
    await emulator.script({ fault: 'status', status: 429, command: 'capture', times: 100 });
    await advanceEngineClock(portal.deps, 25 * 60 * 60);
    await sweep(portal.deps);
    const [waiting] = await db().select().from(charge).where(eq(charge.id, paid.charge.id));
    expect(waiting?.state).toBe('accepted');
    expect(waiting?.reviewSince).not.toBeNull();
    await emulator.clearFaults();
    await advanceEngineClock(portal.deps, 61);
    await sweep(portal.deps);
    const [made] = await db().select().from(charge).where(eq(charge.id, paid.charge.id));
    expect(made).toMatchObject({ state: 'captured', reviewSince: null });
    await expectBalanced();
  });

  test.each([
    { during: 'its look at the transaction', sleepy: sleepyInLook },
    { during: 'the answer to its lease', sleepy: sleepyInLease },
  ])('is not sent by a worker that slept through its lease during $during', async ({ sleepy }) => {
    const paid = await accepted();
    await emulator.script({ fault: 'status', status: 500, when: 'before', command: 'capture' });
    await sweep(portal.deps);
    await advanceEngineClock(portal.deps, 6);
    await inSleepyProcess((sleep) => sweep(sleepy(sleep)));
    expect((await chargeOf(paid.invoiceId)).state).toBe('accepted');
    expect((await providerRow(paid.charge.orderId)).trantype_code).toBe('A');
    await sweepAll();
    expect((await chargeOf(paid.invoiceId)).state).toBe('captured');
    await expectBalanced();
  });

  test('is made by one of many workers', async () => {
    const paid = await Promise.all(Array.from({ length: 5 }, () => accepted()));
    await Promise.all(Array.from({ length: 6 }, () => sweepCharges(portal.deps)));
    for (const { invoiceId } of paid) expect((await chargeOf(invoiceId)).state).toBe('captured');
    await expectBalanced();
  });
});

describe('a capture that has become impossible', () => {
  async function expectReversed(paid: Awaited<ReturnType<typeof accepted>>) {
    expect((await chargeOf(paid.invoiceId)).state).toBe('capture_failed');
    expect(await balanceOf(paid.invoiceId)).toBe(108_25);
    await expectBalanced();
  }

  test('because the hold was voided: the invoice is due again, and everybody told otherwise hears so', async () => {
    const email = 'payer-of-a-void@example.com';
    const paid = await accepted({ email, headers: { 'idempotency-key': 'voided' } });
    const office = `office-${paid.franchiseId}@example.com`;
    await db().update(franchise).set({ email: office }).where(eq(franchise.id, paid.franchiseId));
    await byHand(paid.charge.orderId, 'void');
    await sweepAll();
    await expectReversed(paid);

    const replay = await payAsGuest(portal, paid.body, paid.headers);
    expect(replay.statusCode).toBe(409);
    expect(replay.json().detail).toBe(
      `Your payment could not be collected from your card. Due again: work order ${paid.workOrderNumber} ($108.25).`,
    );
    const mails = await db().select().from(outgoingMail);
    const kindsTo = (recipient: string) =>
      mails
        .filter((mail) => mail.recipient === recipient)
        .map(({ kind, cancelledAt }) => [kind, cancelledAt !== null]);
    expect(kindsTo(email).sort()).toEqual([
      ['capture-failed', false],
      ['payment-receipt', true],
    ]);
    expect(kindsTo(office)).toEqual([['capture-failed', false]]);
    expect((await guestPays(paid)).statusCode).toBe(200);
    await sweepAll();
    await expectBalanced();
  });

  test('because the hold expired: trusted the second time, a minute later', async () => {
    const paid = await accepted();
    await emulator.advanceClock(THIRTY_ONE_DAYS);
    await sweep(portal.deps);
    await advanceEngineClock(portal.deps, 30);
    // Even if it were tried early.
    await db().update(charge).set({ nextTryAt: sql`engine_now()` }).where(eq(charge.id, paid.charge.id));
    await sweep(portal.deps);
    const [row] = await db().select().from(charge).where(eq(charge.id, paid.charge.id));
    expect(row).toMatchObject({ state: 'accepted', attempts: 2 });
    await advanceEngineClock(portal.deps, 61);
    await sweep(portal.deps);
    await expectReversed(paid);
  });

  test('because another worker has just made it: it stays paid', async () => {
    const paid = await accepted();
    const { id, orderId } = paid.charge;
    await db()
      .update(charge)
      .set({ firstImpossibleAt: sql`engine_now() - interval '61 seconds'` })
      .where(eq(charge.id, id));
    await byHand(orderId, 'cc:capture');
    await sweep(portal.deps);
    expect((await chargeOf(paid.invoiceId)).state).toBe('captured');
    expect((await providerRow(orderId)).trantype_code).toBe('L');
    await expectBalanced();
  });

  test('and was made after all during its reversal: it stays paid', async () => {
    const paid = await accepted();
    const { id, intentId, orderId } = paid.charge;
    await decide(portal.deps, { intentId, decision: { event: 'refuse-capture', chargeId: id } });
    expect(await balanceOf(paid.invoiceId)).toBe(0);
    await byHand(orderId, 'cc:capture');
    await emulator.callAs('portal', 'POST', '/batches/current/close');
    await sweepAll();
    expect((await chargeOf(paid.invoiceId)).state).toBe('captured');
    expect(await balanceOf(paid.invoiceId)).toBe(0);
  });

  test('and was made, but not settled: it is voided, and the invoice is due again', async () => {
    const paid = await accepted();
    const { id, intentId, orderId } = paid.charge;
    await decide(portal.deps, { intentId, decision: { event: 'refuse-capture', chargeId: id } });
    await byHand(orderId, 'cc:capture');
    await sweepAll();
    await expectReversed(paid);
  });
});

describe('a hold that is to be given back', () => {
  /** Abandoned, with a hold whose transaction is known. */
  async function releasing() {
    const made = await makeInvoice(db());
    await emulator.script({ fault: 'verify', command: 'authonly' });
    await guestPays(made);
    await advanceEngineClock(portal.deps, 6);
    await emulator.script({ fault: 'status', status: 500, when: 'before', command: 'void' });
    await sweep(portal.deps);
    return made;
  }

  async function reversing() {
    const paid = await accepted();
    const { id, intentId } = paid.charge;
    await decide(portal.deps, { intentId, decision: { event: 'refuse-capture', chargeId: id } });
    return paid;
  }

  test.each([
    { state: 'releasing', ends: 'released', make: releasing },
    { state: 'reversing', ends: 'capture_failed', make: reversing },
  ])('is not voided by a worker that slept through its lease while $state', async ({ state, ends, make }) => {
    const { invoiceId } = await make();
    const { orderId } = await chargeOf(invoiceId);
    await advanceEngineClock(portal.deps, 6);
    await inSleepyProcess((sleep) => sweep(sleepyInLook(sleep)));
    expect((await chargeOf(invoiceId)).state).toBe(state);
    expect((await providerRow(orderId)).trantype_code).toBe('A');
    await sweepAll();
    expect((await chargeOf(invoiceId)).state).toBe(ends);
    await expectBalanced();
  });

  test('counts as captured while reversing only once its batch has settled', async () => {
    const { invoiceId } = await reversing();
    const { orderId } = await chargeOf(invoiceId);
    const { key } = await providerRow(orderId);
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'cc:capture', trankey: key });
    await emulator.callAs('portal', 'POST', '/batches/current/close');
    await emulator.script({ fault: 'wrong', command: 'get', answer: { status_code: 'B' }, orderId });
    await advanceEngineClock(portal.deps, 6);
    await sweep(portal.deps);
    expect((await chargeOf(invoiceId)).state).toBe('reversing');
    await sweepAll();
    expect((await chargeOf(invoiceId)).state).toBe('captured');
    await expectBalanced();
  });
});

describe('on an account that releases no funds', () => {
  beforeEach(() => emulator.switch({ releaseRefused: 'always' }));
  afterEach(() => emulator.switch({ releaseRefused: 'settled', voidExpiredCode: 0, authorizationDays: 30 }));

  test('an abandoned hold is voided', async () => {
    const made = await makeInvoice(db());
    await emulator.script({ fault: 'verify', command: 'authonly' });
    await guestPays(made);
    await advanceEngineClock(portal.deps, 6);
    await sweep(portal.deps);
    const { state, orderId } = await chargeOf(made.invoiceId);
    expect([state, (await providerRow(orderId)).trantype_code]).toEqual(['released', 'V']);
    await expectBalanced();
  });

  test.each(['nothing', 'cc:capture'])(
    'an accepted charge that can’t be captured is voided if %s was done by hand',
    async (command) => {
      const paid = await accepted();
      const { id, intentId, orderId } = paid.charge;
      await decide(portal.deps, { intentId, decision: { event: 'refuse-capture', chargeId: id } });
      if (command !== 'nothing') await byHand(orderId, command);
      await sweep(portal.deps);
      const { state } = await chargeOf(paid.invoiceId);
      expect([state, (await providerRow(orderId)).trantype_code]).toEqual(['capture_failed', 'V']);
      await expectBalanced();
    },
  );

  test('an abandoned hold that somebody captures meanwhile isn’t voided', async () => {
    const made = await makeInvoice(db());
    await emulator.script({ fault: 'verify', command: 'authonly' });
    await guestPays(made);
    const { orderId } = await chargeOf(made.invoiceId);
    await advanceEngineClock(portal.deps, 6);
    const gateways = aroundCalls(portal.deps.gateways, 'release', async (send) => {
      const answer = await send();
      await emulator.script({ fault: 'wrong', command: 'get', answer: { trantype_code: 'L' }, times: 100 });
      return answer;
    });
    await sweep({ ...portal.deps, gateways });
    expect((await chargeOf(made.invoiceId)).state).toBe('unresolved');
    expect((await providerRow(orderId)).status_code).not.toBe('V');
  });

  test('a hold that has expired and can’t be voided is left for a person', async () => {
    await emulator.switch({ voidExpiredCode: 83, authorizationDays: 0 });
    const paid = await accepted();
    const { id, intentId } = paid.charge;
    await decide(portal.deps, { intentId, decision: { event: 'refuse-capture', chargeId: id } });
    await sweepAll();
    await advanceEngineClock(portal.deps, 25 * 60 * 60);
    await sweep(portal.deps);
    const [row] = await db().select().from(charge).where(eq(charge.id, id));
    expect(row).toMatchObject({ state: 'reversing', reviewSince: expect.any(Date) });
  });
});

describe('keys that the provider refuses', () => {
  test.each([401, 403])(
    'with %d for a capture raise an alert, and the capture is made later',
    async (status) => {
      const paid = await accepted();
      await emulator.script({ fault: 'status', status, command: 'capture' });
      expect(await alertsOfSweep()).toEqual(['merchant-keys-refused']);
      await sweepAll();
      expect((await chargeOf(paid.invoiceId)).state).toBe('captured');
    },
  );

  test.each(['get', 'void'])(
    'for a %s of a release raise an alert, and the hold is released later',
    async (command) => {
      const made = await makeInvoice(db());
      await emulator.script({ fault: 'verify', command: 'authonly' });
      await guestPays(made);
      await emulator.script({ fault: 'status', status: 401, command });
      expect(await alertsOfSweep()).toEqual(['merchant-keys-refused']);
      await sweepAll();
      expect((await chargeOf(made.invoiceId)).state).toBe('released');
      await expectBalanced();
    },
  );
});

describe('keys that were changed', () => {
  const keysOf = async (name: string) => {
    const { apiKey, pin, publicKey } = await emulator.merchant(name);
    return { apiKey, pin, publicKey };
  };
  /** Replaces the keys as the franchise's office does. */
  async function replace(franchiseId: number, gateway: Awaited<ReturnType<typeof keysOf>>): Promise<void> {
    const answer = await callOffice(portal, 'PUT', `/franchises/${franchiseId}`, { body: { gateway } });
    expect(answer.json()).toMatchObject({ gateway: { publicKey: gateway.publicKey } });
  }

  async function acceptedOn(merchant: string) {
    const made = await makeInvoice(db());
    await replace(made.franchiseId, await keysOf(merchant));
    const answer = await guestPays(made, { merchant });
    expect(answer.statusCode).toBe(200);
    return { ...made, charge: await chargeOf(made.invoiceId) };
  }

  test('to another account: charges begun on the old one end there', async () => {
    const paid = await acceptedOn('north');
    await replace(paid.franchiseId, await keysOf('east'));
    await sweepAll();
    expect(await providerRow(paid.charge.orderId)).toMatchObject({ merchant: 'north', trantype_code: 'L' });
    await expectBalanced();
  });

  test('to another account: a hold whose answer was lost on the old one is found and released there', async () => {
    const made = await makeInvoice(db());
    await replace(made.franchiseId, await keysOf('north'));
    await emulator.script({ fault: 'reset', when: 'after', command: 'cc:authonly' });
    const lost = await guestPays(made, { merchant: 'north' });
    expect(lost.statusCode).toBe(503);
    const { orderId } = await chargeOf(made.invoiceId);
    expect(await providerRow(orderId)).toMatchObject({ merchant: 'north', trantype_code: 'A' });

    await replace(made.franchiseId, await keysOf('east'));
    const again = await guestPays(made, { merchant: 'east' });
    expect(again.statusCode).toBe(200);
    await sweepAll();
    expect(await providerRow(orderId)).toMatchObject({ merchant: 'north', trantype_code: 'V' });
    const paid = await chargeOf(made.invoiceId);
    expect(await providerRow(paid.orderId)).toMatchObject({ merchant: 'east', trantype_code: 'L' });
    await expectBalanced();
  });

  test('because the old ones are refused: the new ones finish what they provably reach', async () => {
    const paid = await acceptedOn('south');
    await revokeKeysOf(paid.franchiseId);
    await replace(paid.franchiseId, await keysOf('south'));
    await sweepAll();
    expect((await chargeOf(paid.invoiceId)).state).toBe('captured');
    await expectBalanced();
  });

  test('because the old ones are refused: new ones of another account are not trusted', async () => {
    const paid = await acceptedOn('south');
    await revokeKeysOf(paid.franchiseId);
    await replace(paid.franchiseId, await keysOf('west'));
    await sweepAll();
    expect((await chargeOf(paid.invoiceId)).state).toBe('accepted');
    await advanceEngineClock(portal.deps, 25 * 60 * 60);
    await sweep(portal.deps);
    const [row] = await db().select().from(charge).where(eq(charge.id, paid.charge.id));
    expect(row).toMatchObject({ state: 'accepted', reviewSince: expect.any(Date) });
  });
});

async function revokeKeysOf(franchiseId: number): Promise<void> {
  const account = await findCurrentAccount(db(), franchiseId);
  if (!account) throw new Error('no account of its own');
  const { apiKey } = sealKeys(portal.deps.secretBox, account.id, { apiKey: '_revoked', pin: '' });
  await db().execute(sql`UPDATE merchant_account SET api_key = ${apiKey} WHERE id = ${account.id}`);
}

test('an account that rested while the engine’s clock was ahead captures on once that is noticed', async () => {
  const made = await accepted();
  const [accountId = 0] = await listUnfinishedAccounts(db());
  await advanceEngineClock(portal.deps, THIRTY_ONE_DAYS);
  await restAccount(db(), { accountId, seconds: 60 });
  await restListing(db(), { accountId });
  await advanceEngineClock(portal.deps, -THIRTY_ONE_DAYS);
  await sweep(portal.deps);
  expect((await chargeOf(made.invoiceId)).state).toBe('accepted');
  const lanes = openLanes({ money: portal.deps, others: portal.deps }, systemTimers);
  await advanceEngineClock(portal.deps, 60);
  await lanes.look('compare-books');
  const { rows } = await db().execute(sql`
    SELECT FROM provider_budget WHERE resting_until IS NOT NULL OR listing_rests_until IS NOT NULL`);
  expect(rows).toEqual([]);
  await sweep(portal.deps);
  expect((await chargeOf(made.invoiceId)).state).toBe('captured');
  await expectBalanced();
});
