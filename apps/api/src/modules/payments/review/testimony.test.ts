import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock, beginEngineMinute } from '../../../../test/books/engine-clock.ts';
import { sweep, sweepCharges } from '../../../../test/books/sweep.ts';
import { isSomebodyWaitingForALock } from '../../../../test/database/overtake.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { chargeState, makeCharge } from '../../../../test/factories/payments/charges.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { callConsole, makeSignedIn, OFFICE_SETTINGS } from '../../../../test/office/office-people.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import type { Deps } from '../../../deps.ts';
import { listAccounts } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { prepareMerchantAccounts } from '../../merchant-accounts/prepare-merchant-accounts.ts';
import { compareBooks } from '../books/compare-books.ts';
import { compareAfterRestore } from '../restore/compare-after-restore.ts';
import { watchOnce } from '../restore/watch-books.ts';
import { reviewCharge } from './review-charge.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments(() => OFFICE_SETTINGS);

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const NOTE = 'Looked at the console with Kim.';

beforeEach(() => emulator.clearFaults());

async function lastCharge() {
  const last = (await chargesOf(portal.deps)).at(-1);
  if (!last) throw new Error('no charge');
  return last;
}

/** A person says what they saw. */
async function say(chargeId: string, decision: string, { note = NOTE }: { note?: string } = {}) {
  const { person, cookie } = await makeSignedIn(portal, { role: 'finance' });
  const answer = await callConsole(portal, 'POST', `/review/${chargeId}`, {
    cookie,
    body: { decision, ...(note !== '' && { note }) },
  });
  return { person, status: answer.statusCode, codes: codesOf(answer.json()), answer };
}

const codesOf = ({ errors = [] }: { errors?: { code: string }[] }) => errors.map(({ code }) => code);

const providerRow = async (orderId: string) =>
  (await emulator.ledger()).find((row) => row.orderid === orderId);

const byHand = async (orderId: string, command: string) =>
  emulator.callAs('portal', 'POST', '/transactions', { command, trankey: (await providerRow(orderId))?.key });

/** Everything that the portal asks is answered like this. */
async function answerAll(fault: Record<string, unknown>) {
  for (const command of ['capture', 'get', 'list', 'void'])
    await emulator.script({ ...fault, command, times: 1000 });
}

const KEYS_ARE_DEAD = { fault: 'status', status: 401 };

/** A paid invoice whose charge couldn't be captured for a day. */
async function uncaptured(fault: Record<string, unknown>, { first }: { first?: string } = {}) {
  const invoice = await makeInvoice(db());
  expect((await guestPays(invoice)).statusCode).toBe(200);
  const charge = await lastCharge();
  if (first) await byHand(charge.orderId, first);
  await answerAll(fault);
  await advanceEngineClock(portal.deps, DAY + 60);
  await sweep(portal.deps);
  expect(await chargeState(portal.deps, charge.id)).toBe('accepted');
  return { invoice, charge };
}

async function balanceOf(invoiceId: number) {
  const { rows } = await db().execute<{ cents: number }>(sql`
    SELECT balance_cents::integer AS cents FROM invoice WHERE id = ${invoiceId}`);
  return rows[0]?.cents;
}

describe('a payment on an account that refuses our keys', () => {
  test('is over once a person says that nothing was taken; the invoice can be paid, and is paid once', async () => {
    const { invoice, charge } = await uncaptured(KEYS_ARE_DEAD, { first: 'void' });
    const { person, status, answer } = await say(charge.id, 'nothing-taken');
    expect([status, answer.json()]).toEqual([200, { chargeId: charge.id, state: 'capture_failed' }]);
    expect(await balanceOf(invoice.invoiceId)).toBe(108_25);
    const { rows } = await db().execute(sql`
      SELECT actor, action, reason FROM audit_event WHERE subject = ${`charge ${charge.id}`}`);
    expect(rows).toEqual([{ actor: person.email, action: 'review: nothing-taken', reason: NOTE }]);

    await emulator.clearFaults();
    expect((await guestPays(invoice)).statusCode).toBe(200);
    await sweepAll();
    expect((await providerRow(charge.orderId))?.trantype_code).toBe('V');
    await expectBalanced();
  });

  test('is over in one commit: no sweep gets hold of a part of it', async () => {
    const { invoice, charge } = await uncaptured(KEYS_ARE_DEAD, { first: 'void' });
    const importing = await portal.deps.db.pool.connect();
    try {
      await importing.query('BEGIN');
      await importing.query('SELECT FROM invoice WHERE id = $1 FOR UPDATE', [invoice.invoiceId]);
      const saying = say(charge.id, 'nothing-taken');
      await expect.poll(() => isSomebodyWaitingForALock(portal)).toBe(true);
      await sweepCharges(portal.deps);
      await importing.query('COMMIT');
      const { status, answer } = await saying;
      expect([status, answer.json()]).toEqual([200, { chargeId: charge.id, state: 'capture_failed' }]);
    } finally {
      importing.release();
    }
    await emulator.clearFaults();
    await expectBalanced();
  });

  test('stays paid once a person says that it was collected', async () => {
    const { invoice, charge } = await uncaptured(KEYS_ARE_DEAD, { first: 'cc:capture' });
    expect((await say(charge.id, 'collected')).answer.json()).toMatchObject({ state: 'captured' });
    expect(await balanceOf(invoice.invoiceId)).toBe(0);
    await emulator.clearFaults();
    await expectBalanced();
  });
});

describe('a person’s word', () => {
  test.each([
    ['collected', null, 'not-collected'],
    ['nothing-taken', null, 'still-held'],
    ['collected', 'void', 'not-collected'],
    ['nothing-taken', 'cc:capture', 'captured'],
  ] as const)(
    '"%s" is refused where the provider shows otherwise (by hand: %s)',
    async (said, hand, code) => {
      const { charge } = await uncaptured({ fault: 'status', status: 500, when: 'before' });
      await emulator.clearFaults();
      if (hand) await byHand(charge.orderId, hand);
      expect(await say(charge.id, said)).toMatchObject({ status: 409, codes: [code] });
      expect(await chargeState(portal.deps, charge.id)).toBe('accepted');
      await sweepAll();
      await advanceEngineClock(portal.deps, HOUR);
      await sweep(portal.deps);
      await expectBalanced();
    },
  );

  test.each(['collected', 'nothing-taken'])('"%s" is refused while the provider only fails', async (said) => {
    const { charge } = await uncaptured({ fault: 'status', status: 500, when: 'before' });
    expect(await say(charge.id, said)).toMatchObject({ status: 409, codes: ['records-unclear'] });
    await emulator.clearFaults();
    await sweepAll();
    await advanceEngineClock(portal.deps, HOUR);
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.id)).toBe('captured');
  });

  test('needs a note, a person and a charge in review', async () => {
    const charge = await makeCharge(portal.deps, { state: 'conflict' });
    const body = { decision: 'nothing-taken', note: NOTE };
    expect((await say(charge.chargeId, 'nothing-taken')).status).toBe(404);
    await db().execute(sql`UPDATE charge SET review_since = engine_now() WHERE id = ${charge.chargeId}`);
    expect((await say(charge.chargeId, 'nothing-taken', { note: '' })).status).toBe(400);
    expect((await say(charge.chargeId, 'nothing-taken', { note: '  ' })).status).toBe(400);
    const byKey = await callOffice(portal, 'POST', `/review/${charge.chargeId}`, { body });
    expect([byKey.statusCode, codesOf(byKey.json())]).toEqual([403, ['not-a-person']]);
    const byPath = await callOffice(portal, 'POST', `/review/${charge.chargeId}/nothing-taken`);
    expect(byPath.statusCode).toBe(400);
    expect(await say(charge.chargeId, 'collected')).toMatchObject({
      status: 409,
      codes: ['not-for-this-state'],
    });
    expect(await chargeState(portal.deps, charge.chargeId)).toBe('conflict');
    expect((await say(charge.chargeId, 'nothing-taken')).status).toBe(200);
  });
});

/** The provider answers each void, and voids nothing. */
const VOIDS_NOTHING = {
  fault: 'wrong',
  when: 'before',
  command: 'void:release',
  answer: { result_code: 'E', error_code: 118 },
  times: 1000,
};

describe('an expired hold that the provider does not void', () => {
  test('of a payment: a person ends it, as the provider has said that it can’t be captured', async () => {
    const invoice = await makeInvoice(db());
    await guestPays(invoice);
    const charge = await lastCharge();
    await emulator.advanceClock(31 * DAY);
    await emulator.script(VOIDS_NOTHING);
    await sweepAll();
    await advanceEngineClock(portal.deps, DAY);
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.id)).toBe('reversing');
    expect((await providerRow(charge.orderId))?.trantype_code).toBe('A');
    expect((await say(charge.id, 'reverse')).codes).toEqual(['not-for-this-state']);
    expect((await say(charge.id, 'collected')).codes).toEqual(['not-collected']);
    expect((await say(charge.id, 'nothing-taken')).status).toBe(200);
    expect(await chargeState(portal.deps, charge.id)).toBe('capture_failed');
    expect(await balanceOf(invoice.invoiceId)).toBe(108_25);
    expect((await guestPays(invoice)).statusCode).toBe(200);
    await sweepAll();
  });

  test('of a payment that a person takes back stands until no hold can any more', async () => {
    const { charge } = await uncaptured({ fault: 'status', status: 500, when: 'before' });
    await emulator.clearFaults();
    await emulator.script(VOIDS_NOTHING);
    expect((await say(charge.id, 'reverse')).status).toBe(200);
    await sweep(portal.deps);
    expect((await say(charge.id, 'nothing-taken')).codes).toEqual(['still-held']);
    await advanceEngineClock(portal.deps, 31 * DAY);
    await sweep(portal.deps);
    expect((await say(charge.id, 'nothing-taken')).status).toBe(200);
    expect(await chargeState(portal.deps, charge.id)).toBe('capture_failed');
  });

  test('of an abandoned payment: a person ends it once no hold can stand any more', async () => {
    await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
    await guestPays(await makeInvoice(db()));
    const charge = await lastCharge();
    await emulator.script(VOIDS_NOTHING);
    await sweepAll();
    await advanceEngineClock(portal.deps, DAY);
    await sweep(portal.deps);
    await advanceEngineClock(portal.deps, 2 * HOUR);
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.id)).toBe('unresolved');
    expect((await say(charge.id, 'close')).status).toBe(409);
    expect((await say(charge.id, 'nothing-taken')).codes).toEqual(['still-held']);
    await advanceEngineClock(portal.deps, 31 * DAY);
    expect((await say(charge.id, 'nothing-taken')).status).toBe(200);
    expect(await chargeState(portal.deps, charge.id)).toBe('absent');
  });
});

describe('a charge whose transaction is another charge’s', () => {
  /** The provider gave one hold to two orders: `other` has it, and `charge` finds it under its own. */
  async function inConflict(state: 'accepted' | 'unresolved' = 'accepted') {
    const charge = await makeCharge(portal.deps, { state: 'abandoned' });
    const held = await emulator.callAs('portal', 'POST', '/transactions', {
      command: 'authonly',
      amount: '108.25',
      orderid: charge.orderId,
      creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
    });
    const other = await makeCharge(portal.deps, { state, transactionKey: String(held.key) });
    await db().execute(sql`UPDATE charge SET next_try_at = engine_now() WHERE id = ${charge.chargeId}`);
    await advanceEngineClock(portal.deps, 6);
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.chargeId)).toBe('conflict');
    return { charge, other };
  }

  test('is closed by a person, and nothing touches the other charge’s hold', async () => {
    const { charge, other } = await inConflict();
    expect((await say(charge.chargeId, 'nothing-taken')).answer.json()).toMatchObject({ state: 'absent' });
    await compareBooks(portal.deps);
    expect(await providerRow(charge.orderId)).toMatchObject({ trantype_code: 'A', status_code: 'P' });
    expect(await chargeState(portal.deps, other.chargeId)).toBe('accepted');
    const listed = await callOffice(portal, 'GET', '/review');
    expect(listed.json()).toEqual([]);
  });

  // Each of these reads the list several times.
  beforeEach(() => beginEngineMinute(portal.deps));

  async function expectNoOlderBooks() {
    await watchOnce(portal.deps, { jumpMilliseconds: 2 * 60_000 });
    const { payments } = (await callOffice(portal, 'GET', '/status')).json();
    expect(payments).toMatchObject({ isClosed: false, isRestored: false });
  }

  test('is no sign of older books once a person has closed it, whoever captured the hold', async () => {
    const { charge } = await inConflict('unresolved');
    await byHand(charge.orderId, 'capture');
    expect((await say(charge.chargeId, 'nothing-taken')).status).toBe(200);
    await expectNoOlderBooks();
  });

  test('is no sign of older books while it waits for a person, once the other charge has captured', async () => {
    const { other } = await inConflict();
    await db().execute(sql`UPDATE charge SET next_try_at = engine_now() WHERE id = ${other.chargeId}`);
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, other.chargeId)).toBe('captured');
    await expectNoOlderBooks();
    await callOffice(portal, 'POST', '/restored', { body: {} });
    await compareAfterRestore(portal.deps);
    expect((await callOffice(portal, 'GET', '/found-payments')).json()).toEqual([]);
  });

  test('is not closed while the provider shows a hold of its own under its order', async () => {
    const { charge } = await inConflict();
    await emulator.callAs('portal', 'POST', '/transactions', {
      command: 'authonly',
      amount: '108.25',
      orderid: charge.orderId,
      creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
    });
    expect((await say(charge.chargeId, 'nothing-taken')).codes).toEqual(['still-held']);
    expect(await chargeState(portal.deps, charge.chargeId)).toBe('conflict');
  });
});

test.each(['collected', 'nothing-taken'])('"%s" of a charge that is not in review is 404', async (said) => {
  expect((await say(randomUUID(), said)).status).toBe(404);
});

// Last, as it changes the portal's account.
test('a payment on refused keys is not ended while newer keys, which may reach it, are not answered', async () => {
  const { charge } = await uncaptured(KEYS_ARE_DEAD);
  await emulator.clearFaults();
  const own = (await listAccounts(db())).at(-1);
  const { apiKey, pin } = await emulator.merchant('portal');
  const settings = { USAEPAY_API_KEY: apiKey, USAEPAY_PIN: pin, USAEPAY_PUBLIC_KEY: '_newer' };
  await prepareMerchantAccounts({ ...portal.deps, env: { ...portal.deps.env, ...settings } });
  const gateways: Deps['gateways'] = {
    ...portal.deps.gateways,
    of: (keys) => ({
      ...portal.deps.gateways.of(keys),
      find: async () => (keys.id === own?.id ? { kind: 'not-executed', status: 401 } : { kind: 'unknown' }),
    }),
  };
  const said = await reviewCharge(
    { ...portal.deps, gateways },
    { chargeId: charge.id, decision: 'nothing-taken', note: NOTE, actor: { id: null, name: 'Kim' } },
  );
  expect(said).toEqual({ ok: false, code: 'records-unclear' });
  expect(await chargeState(portal.deps, charge.id)).toBe('accepted');
});
