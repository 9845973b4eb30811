import { randomUUID } from 'node:crypto';
import type { ReviewDecision } from '@brightpane/contract/office/review-decisions';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { chargeState } from '../../../../test/factories/payments/charges.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import type { Deps } from '../../../deps.ts';
import type { MerchantKeys, PaymentGateway } from '../../../gateway/payment-gateway.ts';
import { listAccounts } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { prepareMerchantAccounts } from '../../merchant-accounts/prepare-merchant-accounts.ts';
import { reviewCharge } from './review-charge.ts';

const { emulator, portal, db, guestPays, sweepAll } = usePayments();

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const CARD = { number: '4000100011112224', expiration: '1230', cvc: '123' };

beforeEach(async () => {
  await emulator.clearFaults();
  await usePortalKeys();
  await sweepAll();
});

const decide = (chargeId: string, decision: ReviewDecision, deps: Deps = portal.deps) =>
  reviewCharge(deps, { chargeId, decision, note: 'Looked.', actor: { id: null, name: 'Kim' } });

const refused = (code: string) => ({ ok: false, code });
const moved = (state: string) => ({ ok: true, value: { state } });

async function lastCharge() {
  const last = (await chargesOf(portal.deps)).at(-1);
  if (!last) throw new Error('no charge');
  return last;
}

const byHand = (body: object) =>
  emulator.callAs('portal', 'POST', '/transactions', { amount: '108.25', creditcard: CARD, ...body });

const byKey = async (key: string) => (await emulator.ledger()).find((row) => row.key === key);
const rowsOf = async (orderId: string) => (await emulator.ledger()).filter((row) => row.orderid === orderId);

async function providerRow(orderId: string) {
  const [row, ...others] = await rowsOf(orderId);
  if (!row || others.length > 0) throw new Error(`not one row of ${orderId}`);
  return row;
}

/** The provider answers again, and its account, which rests after lost answers, is asked again. */
async function endRests() {
  await emulator.clearFaults();
  await advanceEngineClock(portal.deps, 61);
}

type Answered = { approval?: object; capture?: object; seconds?: number };

/** An accepted charge whose captures fail for a day; `approval` and `capture` are what the provider answers first. */
async function uncaptured({ approval, capture = {}, seconds = DAY + 60 }: Answered = {}) {
  const invoice = await makeInvoice(db());
  if (approval) await emulator.script({ fault: 'wrong', command: 'cc:authonly', ...approval });
  expect((await guestPays(invoice)).statusCode).toBe(200);
  const charge = await lastCharge();
  const fault = { fault: 'status', status: 500, when: 'before', command: 'capture', ...capture };
  await emulator.script({ ...fault, times: 100 });
  await sweep(portal.deps);
  await emulator.clearFaults();
  await emulator.script({ fault: 'status', status: 500, when: 'before', command: 'capture', times: 100 });
  await advanceEngineClock(portal.deps, seconds);
  await sweep(portal.deps);
  expect(await chargeState(portal.deps, charge.id)).toBe('accepted');
  await endRests();
  return { invoice, charge };
}

/** An abandoned charge whose hold the provider made, but never listed for a day. */
async function unresolved() {
  await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
  await guestPays(await makeInvoice(db()));
  const charge = await lastCharge();
  await emulator.script({ fault: 'status', status: 500, command: 'list', times: 100 });
  for (const seconds of [6, 25 * HOUR, 1.1 * HOUR]) {
    await advanceEngineClock(portal.deps, seconds);
    await sweep(portal.deps);
  }
  expect(await chargeState(portal.deps, charge.id)).toBe('unresolved');
  await endRests();
  return charge;
}

async function balanceOf({ invoiceId }: { invoiceId: number }) {
  const { rows } = await db().execute<{ cents: number }>(sql`
    SELECT balance_cents::integer AS cents FROM invoice WHERE id = ${invoiceId}`);
  return rows[0]?.cents;
}

async function useKeys(keys: { apiKey: string; pin: string; publicKey: string }) {
  const { apiKey: USAEPAY_API_KEY, pin: USAEPAY_PIN, publicKey: USAEPAY_PUBLIC_KEY } = keys;
  const settings = { USAEPAY_API_KEY, USAEPAY_PIN, USAEPAY_PUBLIC_KEY };
  await prepareMerchantAccounts({ ...portal.deps, env: { ...portal.deps.env, ...settings } });
}

async function usePortalKeys() {
  await useKeys(await emulator.merchant('portal'));
}

const newestAccount = async () => (await listAccounts(db())).at(-1)?.id;

/** The portal with new keys, of the same account or of another; its old ones answer like this. */
async function withNewKeys(of: 'portal' | 'east', old: (gateway: PaymentGateway) => Partial<PaymentGateway>) {
  const before = await newestAccount();
  const { apiKey, pin } = await emulator.merchant(of);
  await useKeys({ apiKey, pin, publicKey: `_newer-${randomUUID()}` });
  const gateways: Deps['gateways'] = {
    ...portal.deps.gateways,
    of: (keys: MerchantKeys) => {
      const gateway = portal.deps.gateways.of(keys);
      return keys.id === before ? { ...gateway, ...old(gateway) } : gateway;
    },
  };
  return { ...portal.deps, gateways };
}

const notExecuted = async () => ({ kind: 'not-executed', status: 401 }) as const;
const refusesAll = () => ({
  find: notExecuted,
  list: notExecuted,
  release: notExecuted,
  capture: notExecuted,
});

describe('where the provider refuses the keys of a charge, and newer keys reach its account', () => {
  test('a hold is given back', async () => {
    const charge = await unresolved();
    const deps = await withNewKeys('portal', refusesAll);
    expect(await decide(charge.id, 'release', deps)).toEqual(moved('releasing'));
    await sweep(deps);
    expect(await chargeState(deps, charge.id)).toBe('released');
    expect((await providerRow(charge.orderId)).status_code).toBe('V');
  });

  test.each([
    ['close', 'records-unclear'],
    ['nothing-taken', 'still-held'],
  ] as const)('%s: nothing ends that still shows a hold', async (decision, code) => {
    const charge = await unresolved();
    const deps = await withNewKeys('portal', refusesAll);
    expect(await decide(charge.id, decision, deps)).toEqual(refused(code));
    expect(await chargeState(deps, charge.id)).toBe('unresolved');
  });

  test('a payment is taken back', async () => {
    const { invoice, charge } = await uncaptured();
    const deps = await withNewKeys('portal', refusesAll);
    expect(await decide(charge.id, 'reverse', deps)).toEqual(moved('reversing'));
    await sweep(deps);
    expect(await chargeState(deps, charge.id)).toBe('capture_failed');
    expect((await providerRow(charge.orderId)).status_code).toBe('V');
    expect(await balanceOf(invoice)).toBe(108_25);
  });

  test.each(['release', 'reverse'] as const)(
    '%s: keys of another account prove nothing',
    async (decision) => {
      const charge = decision === 'release' ? await unresolved() : (await uncaptured()).charge;
      const deps = await withNewKeys('east', refusesAll);
      expect(await decide(charge.id, decision, deps)).toEqual(refused('records-unclear'));
    },
  );
});

describe('where the keys of a charge show another account by now', () => {
  const showAnother = async () => {
    const { apiKey, pin } = await emulator.merchant('east');
    const other = portal.deps.gateways.of({ id: -1, apiKey, pin });
    return () => other;
  };

  test('a payment that newer keys show as collected is not taken back', async () => {
    const { invoice, charge } = await uncaptured();
    await byHand({ command: 'cc:capture', trankey: (await providerRow(charge.orderId)).key });
    const deps = await withNewKeys('portal', await showAnother());
    expect(await decide(charge.id, 'reverse', deps)).toEqual(refused('captured'));
    expect(await balanceOf(invoice)).toBe(0);
  });

  test('a hold that newer keys show is given back', async () => {
    const charge = await unresolved();
    const deps = await withNewKeys('portal', await showAnother());
    expect(await decide(charge.id, 'release', deps)).toEqual(moved('releasing'));
    await sweep(deps);
    expect((await providerRow(charge.orderId)).status_code).toBe('V');
  });

  test('nothing is proved while newer keys are not answered', async () => {
    const charge = await unresolved();
    const own = await newestAccount();
    const another = await withNewKeys('portal', await showAnother());
    const gateways: Deps['gateways'] = {
      ...another.gateways,
      of: (keys) => {
        const gateway = another.gateways.of(keys);
        return keys.id === own ? gateway : { ...gateway, list: async () => ({ kind: 'unknown' }) };
      },
    };
    expect(await decide(charge.id, 'release', { ...another, gateways })).toEqual(refused('records-unclear'));
  });
});

describe('another transaction under a charge’s order', () => {
  test('that somebody collected by hand keeps nobody from giving the charge’s own hold back', async () => {
    const { invoice, charge } = await uncaptured();
    const { key } = await providerRow(charge.orderId);
    const sale = await byHand({ command: 'sale', orderid: charge.orderId });
    expect(await decide(charge.id, 'reverse')).toEqual(moved('reversing'));
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.id)).toBe('capture_failed');
    expect(await balanceOf(invoice)).toBe(108_25);
    expect((await byKey(key))?.status_code).toBe('V');
    expect((await byKey(String(sale.key)))?.status_code).toBe('P');
  });

  test('that was refunded says nothing about the charge’s own hold', async () => {
    const { charge } = await uncaptured();
    await byHand({ command: 'cc:credit', orderid: charge.orderId });
    expect(await decide(charge.id, 'reverse')).toEqual(moved('reversing'));
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.id)).toBe('capture_failed');
  });

  test('that somebody collected by hand keeps nobody from giving an abandoned hold back', async () => {
    const charge = await unresolved();
    await decide(charge.id, 'release');
    await emulator.script({ fault: 'status', status: 500, command: 'get', times: 1000 });
    for (const seconds of [6, 1.1 * HOUR, 61]) {
      await advanceEngineClock(portal.deps, seconds);
      await sweep(portal.deps);
    }
    expect(await chargeState(portal.deps, charge.id)).toBe('unresolved');
    await emulator.clearFaults();
    const { key } = await providerRow(charge.orderId);
    const sale = await byHand({ command: 'sale', orderid: charge.orderId });
    expect(await decide(charge.id, 'release')).toEqual(moved('releasing'));
    await advanceEngineClock(portal.deps, 61);
    await sweep(portal.deps);
    expect((await byKey(key))?.status_code).toBe('V');
    expect((await byKey(String(sale.key)))?.status_code).toBe('P');
  });
});

describe('a charge whose key is unknown to the provider', () => {
  const UNKNOWN = { key: 'nf0unknown0key0', refnum: '9999999999' };

  test('is not taken back while its order shows a hold, which our key does not reach', async () => {
    const { invoice, charge } = await uncaptured({ approval: { answer: UNKNOWN } });
    expect(await decide(charge.id, 'reverse')).toEqual(refused('still-held'));
    expect(await chargeState(portal.deps, charge.id)).toBe('accepted');
    await byHand({ command: 'void', trankey: (await providerRow(charge.orderId)).key });
    expect(await decide(charge.id, 'reverse')).toEqual(moved('capture_failed'));
    expect(await balanceOf(invoice)).toBe(108_25);
  });

  test('is not ended as not collected while its order shows that it was', async () => {
    const answer = { ...UNKNOWN, key: 'nf0unknown1key1', refnum: '9999999998' };
    const { charge } = await uncaptured({ approval: { answer } });
    await byHand({ command: 'cc:capture', trankey: (await providerRow(charge.orderId)).key });
    expect(await decide(charge.id, 'reverse')).toEqual(refused('captured'));
    expect(await decide(charge.id, 'nothing-taken')).toEqual(refused('captured'));
    expect(await decide(charge.id, 'collected')).toEqual(moved('captured'));
  });
});

describe('a charge whose key is another order’s', () => {
  /** The provider answered with the key of a hold that somebody made under another order. */
  async function withForeignKey({ when, ...rest }: { when?: 'before' } & Omit<Answered, 'approval'> = {}) {
    const { key, refnum } = await byHand({ command: 'authonly', orderid: `shop-${randomUUID()}` });
    const made = await uncaptured({ approval: { answer: { key, refnum }, ...(when && { when }) }, ...rest });
    return { ...made, foreignKey: String(key) };
  }

  test('is seen by a person at once', async () => {
    const { charge } = await withForeignKey({ seconds: 61 });
    expect(await decide(charge.id, 'reverse')).toEqual(refused('still-held'));
  });

  test('is taken back once its order shows no hold, and nobody touches the other order’s', async () => {
    const { invoice, charge, foreignKey } = await withForeignKey();
    expect(await decide(charge.id, 'reverse')).toEqual(refused('still-held'));
    await byHand({ command: 'void', trankey: (await providerRow(charge.orderId)).key });
    expect(await decide(charge.id, 'reverse')).toEqual(moved('capture_failed'));
    expect(await balanceOf(invoice)).toBe(108_25);
    expect(await byKey(foreignKey)).toMatchObject({ trantype_code: 'A', status_code: 'P' });
  });

  test('and is being taken back, ends the same way', async () => {
    const { charge, foreignKey } = await withForeignKey();
    await db().execute(sql`UPDATE charge SET state = 'reversing', attempts = 0 WHERE id = ${charge.id}`);
    await advanceEngineClock(portal.deps, HOUR);
    await sweep(portal.deps);
    expect(await chargeState(portal.deps, charge.id)).toBe('reversing');
    await byHand({ command: 'void', trankey: (await providerRow(charge.orderId)).key });
    expect(await decide(charge.id, 'collected')).toEqual(refused('not-collected'));
    expect(await decide(charge.id, 'nothing-taken')).toEqual(moved('capture_failed'));
    expect(await byKey(foreignKey)).toMatchObject({ trantype_code: 'A', status_code: 'P' });
  });

  test('is not taken back if our own capture may have collected under that key', async () => {
    const lostAnswer = { fault: 'reset', when: 'after' };
    const { invoice, charge, foreignKey } = await withForeignKey({ when: 'before', capture: lostAnswer });
    expect(await byKey(foreignKey)).toMatchObject({ trantype_code: 'L' });
    expect(await rowsOf(charge.orderId)).toEqual([]);
    expect(await decide(charge.id, 'reverse')).toEqual(refused('captured'));
    expect(await decide(charge.id, 'nothing-taken')).toEqual(refused('captured'));
    expect(await balanceOf(invoice)).toBe(0);
    expect(await decide(charge.id, 'collected')).toEqual(moved('captured'));
  });
});
