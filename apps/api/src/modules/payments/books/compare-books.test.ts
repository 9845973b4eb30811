import { sql } from 'drizzle-orm';
import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ChargeRow, chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock, beginEngineMinute } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { countPages } from '../../../../test/count-pages.ts';
import type { EmulatedMerchant } from '../../../../test/emulator.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeCharge } from '../../../../test/factories/payments/charges.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { readEngineTime } from '../../../db/clock/engine-clock.queries.ts';
import type { Deps } from '../../../deps.ts';
import { readPortalState } from '../../../metrics/state.queries.ts';
import { trackUnderWay } from '../../../under-way.ts';
import { listAccounts } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { prepareMerchantAccounts } from '../../merchant-accounts/prepare-merchant-accounts.ts';
import { takeListing } from '../listings/listings.queries.ts';
import { compareBooks, compareDueBooks } from './compare-books.ts';
import { listComparedAccounts } from './comparison.queries.ts';

const { emulator, portal, guestPays, sweepAll, expectBalanced } = usePayments();
const MINUTE = 60;

beforeEach(() => emulator.clearFaults());

async function pay(): Promise<ChargeRow> {
  const made = await makeInvoice(portal.deps.db.query);
  await guestPays(made);
  await sweep(portal.deps);
  const charge = (await chargesOf(portal.deps)).at(-1);
  if (!charge) throw new Error('no charge');
  return charge;
}

const byHand = (body: object) => emulator.callAs('portal', 'POST', '/transactions', body);
const keyOf = async (orderId: string) =>
  (await emulator.ledger()).find((row) => row.orderid === orderId)?.key;

/** The differences that a comparison reports for the first time. */
async function newDifferences(work: () => Promise<unknown>) {
  const before = new Set((await compareBooks(portal.deps)).differences.map((each) => JSON.stringify(each)));
  await work();
  const { differences } = await compareBooks(portal.deps);
  return differences.filter((each) => !before.has(JSON.stringify(each)));
}

describe('the nightly comparison', () => {
  test('finds nothing if both books agree', async () => {
    await pay();
    await advanceEngineClock(portal.deps, 20 * MINUTE);
    const comparison = await compareBooks(portal.deps);
    expect(comparison).toMatchObject({ isComplete: true, differences: [] });
    expect(comparison.compared).toBeGreaterThan(0);
  });

  test('releases a hold that appeared after its charge was ruled out', async () => {
    await emulator.script({ fault: 'reset', when: 'before', command: 'authonly' });
    await guestPays(await makeInvoice(portal.deps.db.query));
    await sweepAll();
    const absent = (await chargesOf(portal.deps)).at(-1);
    expect(absent?.state).toBe('absent');
    const differences = await newDifferences(() =>
      byHand({
        command: 'authonly',
        amount: '108.25',
        orderid: absent?.orderId,
        creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
      }),
    );
    expect(differences).toMatchObject([{ kind: 'late-hold-released', orderId: absent?.orderId }]);
    expect((await chargesOf(portal.deps)).at(-1)?.state).toBe('absent');
    await expectBalanced();
  });

  test('reads the list again after the engine’s clock was set back, as the earlier reading is older', async () => {
    await advanceEngineClock(portal.deps, 3 * 60 * MINUTE);
    const differences = await newDifferences(async () => {
      await advanceEngineClock(portal.deps, -2 * 60 * MINUTE);
      await pay();
      await advanceEngineClock(portal.deps, 20 * MINUTE);
    });
    await advanceEngineClock(portal.deps, 2 * 60 * MINUTE);
    expect(differences).toEqual([]);
  });

  test('is due after the engine’s clock was ahead when it was made', async () => {
    await advanceEngineClock(portal.deps, 10 * 24 * 60 * MINUTE);
    await compareBooks(portal.deps);
    const isDue = async () =>
      (await listComparedAccounts(portal.deps.db.query, { days: 3 })).map((account) => account.isDue);
    expect(await isDue()).not.toContain(true);
    await advanceEngineClock(portal.deps, -10 * 24 * 60 * MINUTE);
    expect(await isDue()).not.toContain(false);
    await compareBooks(portal.deps);
    expect(await isDue()).not.toContain(true);
  });

  test('ignores payments in progress', async () => {
    const goOn = await emulator.hold();
    const made = await makeInvoice(portal.deps.db.query);
    const paying = guestPays(made);
    await expect.poll(async () => (await chargesOf(portal.deps)).at(-1)?.state).toBe('authorising');
    await compareBooks(portal.deps);
    await goOn();
    expect((await paying).statusCode).toBe(200);
    await sweep(portal.deps);
    await expectBalanced();
  });

  test('shows in the log, a metric and the status that the provider did not show everything', async () => {
    const logged: Record<string, unknown>[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) });
    const status = async () =>
      (await callOffice(portal, 'GET', '/status')).json<{ payments: Record<string, unknown> }>().payments;
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 10 });
    const comparison = await compareBooks({ ...portal.deps, log });
    expect(comparison).toMatchObject({ isComplete: false, differences: [] });
    expect(logged).toContainEqual(expect.objectContaining({ alert: 'the comparison is incomplete' }));
    await advanceEngineClock(portal.deps, MINUTE);
    expect(await status()).toMatchObject({ incompleteComparisons: 1, incompleteSince: expect.any(String) });
    const { publicUrl } = { publicUrl: portal.deps.env.PUBLIC_URL };
    const read = async () =>
      (await readPortalState(portal.deps.db.query, { publicUrl })).comparisonLagSeconds;
    expect(await read()).toBeGreaterThanOrEqual(MINUTE);

    await emulator.clearFaults();
    await compareBooks(portal.deps);
    expect(await status()).toMatchObject({ incompleteComparisons: 0, incompleteSince: null });
    expect(await read()).toBe(0);
  });

  test('begins no further account once the process ends', async () => {
    const underWay = trackUnderWay();
    underWay.end();
    const { deps, pages } = countPages({ ...portal.deps, underWay });
    expect(await compareBooks(deps)).toMatchObject({ isComplete: false });
    expect(pages).toEqual([]);
  });

  test('runs once a night, and again an hour after the provider did not show everything', async () => {
    const ends = async () => {
      const { rows } = await portal.deps.db.query.execute<{ count: number }>(sql`
        SELECT count(*)::integer AS count FROM audit_event WHERE action = 'compare books'`);
      return rows[0]?.count ?? 0;
    };
    const after = async (seconds: number) => {
      await advanceEngineClock(portal.deps, seconds);
      const before = await ends();
      await compareDueBooks(portal.deps);
      return (await ends()) - before;
    };
    // Start after the nightly hour, so that it never falls between two of the steps below.
    const now = await readEngineTime(portal.deps.db.query);
    const afterNight = new Date(now).setUTCHours(24 + 3, 45, 0, 0);
    expect(await after((afterNight - now.getTime()) / 1_000)).toBe(1);
    expect(await after(60 * MINUTE)).toBe(0);
    await emulator.script({ fault: 'bad-json', command: 'list' });
    expect(await after(23 * 60 * MINUTE)).toBe(1);
    expect(await after(30 * MINUTE)).toBe(0);
    expect(await after(31 * MINUTE)).toBe(1);
    expect(await after(60 * MINUTE)).toBe(0);
  });

  test('continues where the listing budget stopped it', async () => {
    await pay();
    for (let sale = 0; sale < 120; sale++) {
      await byHand({
        command: 'sale',
        amount: '1.00',
        creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
      });
    }
    const { deps, pages } = countPages(portal.deps);
    await advanceEngineClock(portal.deps, 24 * 60 * MINUTE);
    const [account] = await listComparedAccounts(deps.db.query, { days: 3 });
    const accountId = account?.accountId ?? 0;
    await beginEngineMinute(deps);
    for (let page = 0; page < 9; page++) await takeListing(deps.db.query, { accountId, urgency: 'payer' });
    await compareDueBooks(deps);
    expect(pages).toEqual([0]);
    await advanceEngineClock(portal.deps, MINUTE);
    await compareDueBooks(deps);
    expect(pages).toEqual([0, 90]);
  });

  test('reads a row voided with its hold released as voided, and a voided refund as none', async () => {
    const [released, refunded] = [await pay(), await pay()];
    const key = await keyOf(released.orderId);
    const differences = await newDifferences(async () => {
      await byHand({ command: 'void:release', trankey: key });
      await emulator.callAs('portal', 'POST', '/batches/current/close');
      const refund = await byHand({ command: 'refund', trankey: await keyOf(refunded.orderId) });
      await byHand({ command: 'void', trankey: refund.key });
      await advanceEngineClock(portal.deps, MINUTE);
    });
    expect(differences).toMatchObject([{ kind: 'voided-by-hand', orderId: released.orderId }]);
  });

  test('reports a refund, a void and a sale made by hand, and changes none of them', async () => {
    const [refunded, voided] = [await pay(), await pay()];
    const states = async () => (await chargesOf(portal.deps)).map(({ state }) => state);
    const before = await states();
    const differences = await newDifferences(async () => {
      await byHand({ command: 'void', trankey: await keyOf(voided.orderId) });
      await emulator.callAs('portal', 'POST', '/batches/current/close');
      await byHand({ command: 'refund', trankey: await keyOf(refunded.orderId) });
      await byHand({
        command: 'sale',
        amount: '5.00',
        creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
      });
      await advanceEngineClock(portal.deps, MINUTE);
    });
    expect(differences.map(({ kind }) => kind).sort()).toEqual([
      'not-in-our-books',
      'unclaimed-refund',
      'voided-by-hand',
    ]);
    expect(await states()).toEqual(before);
  });

  test('reports a second sale under a payment’s order id, and takes none of these rows for the payment’s own', async () => {
    const [collected, held, voided] = [await pay(), await pay(), await pay()];
    const again = (command: string, { orderId }: ChargeRow) =>
      byHand({
        command,
        amount: '108.25',
        orderid: orderId,
        creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
      });
    const differences = await newDifferences(async () => {
      await again('sale', collected);
      await again('authonly', held);
      const { key } = await again('authonly', voided);
      await byHand({ command: 'void', trankey: key });
      await advanceEngineClock(portal.deps, MINUTE);
    });
    expect(differences.map(({ kind, orderId }) => [kind, orderId]).sort()).toEqual([
      ['captured-but-not-accepted', collected.orderId],
      ['not-in-our-books', held.orderId],
    ]);
  });

  test('reports a capture that the provider does not know', async () => {
    const elsewhere = await makeCharge(portal.deps, { state: 'captured', transactionKey: 'enfnothere00000' });
    await advanceEngineClock(portal.deps, 60 * MINUTE);
    const { differences } = await compareBooks(portal.deps);
    expect(differences).toContainEqual({
      kind: 'not-at-the-provider',
      orderId: elsewhere.orderId,
      reference: 'enfnothere00000',
      amount: '108.25',
    });
  });

  test('reports a capture that the provider does not know, made days after its hold', async () => {
    const late = await makeCharge(portal.deps, { state: 'accepted', transactionKey: 'enfnothere00005' });
    await advanceEngineClock(portal.deps, 5 * 24 * 60 * MINUTE);
    await portal.deps.db.query.execute(sql`
      UPDATE charge SET state = 'captured', captured_at = engine_now(), next_try_at = NULL, review_since = NULL
       WHERE id = ${late.chargeId}`);
    await advanceEngineClock(portal.deps, 60 * MINUTE);
    const { differences } = await compareBooks(portal.deps);
    expect(differences).toContainEqual(
      expect.objectContaining({ kind: 'not-at-the-provider', orderId: late.orderId }),
    );
  });
});

// Last, as it changes the portal's keys.
test('captures under keys that are refused by now are compared by newer keys only if these show them', async () => {
  await pay();
  await advanceEngineClock(portal.deps, 20 * MINUTE);
  const old = (await listAccounts(portal.deps.db.query)).at(-1);
  const refused = async () => ({ kind: 'not-executed', status: 401 }) as const;
  const gateways: Deps['gateways'] = {
    ...portal.deps.gateways,
    of: (keys) => ({
      ...portal.deps.gateways.of(keys),
      ...(keys.id === old?.id && { list: refused, find: refused }),
    }),
  };
  const compareWith = async ({ apiKey, pin, publicKey }: EmulatedMerchant) => {
    const keys = { USAEPAY_API_KEY: apiKey, USAEPAY_PIN: pin, USAEPAY_PUBLIC_KEY: publicKey };
    await prepareMerchantAccounts({ ...portal.deps, env: { ...portal.deps.env, ...keys } });
    return compareBooks({ ...portal.deps, gateways });
  };
  expect(await compareWith(await emulator.merchant('east'))).toMatchObject({ isComplete: false });
  const same = { ...(await emulator.merchant('portal')), publicKey: '_same' };
  expect(await compareWith(same)).toMatchObject({ isComplete: true });
  // Three days later nothing was captured under them that could be missed.
  await advanceEngineClock(portal.deps, 4 * 24 * 60 * MINUTE);
  expect(await compareWith(await emulator.merchant('east'))).toMatchObject({ isComplete: true });
});
