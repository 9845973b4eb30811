import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { aroundCalls } from '../../../../test/around-calls.ts';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock, beginEngineMinute } from '../../../../test/books/engine-clock.ts';
import { inSleepyProcess } from '../../../../test/books/sleepy-process.ts';
import { findAllHolds, sweep } from '../../../../test/books/sweep.ts';
import { countPages } from '../../../../test/count-pages.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeCharge } from '../../../../test/factories/payments/charges.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { charge } from '../../../db/schema/payments.ts';
import type { Deps } from '../../../deps.ts';
import { readLaneLags } from '../../../jobs/lanes/lags.queries.ts';
import { readPortalState } from '../../../metrics/state.queries.ts';
import { listAccounts } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { prepareMerchantAccounts } from '../../merchant-accounts/prepare-merchant-accounts.ts';
import { compareBooks } from '../books/compare-books.ts';
import { takeListing } from '../listings/listings.queries.ts';
import { reviewCharge } from '../review/review-charge.ts';
import { listSilentAccounts } from './leases.queries.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();

const MINUTE = 60;

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.switch({ releaseRefused: 'settled' });
  await sweepAll();
});

/** A payment whose answer was lost before or after the provider made the hold. */
async function lost(when: 'before' | 'after') {
  const made = await makeInvoice(db());
  await emulator.script({ fault: 'reset', when, command: 'authonly' });
  expect((await guestPays(made)).statusCode).toBe(503);
  const last = (await chargesOf(portal.deps)).at(-1);
  if (!last) throw new Error('no charge');
  return last;
}

async function stateOf(chargeId: string) {
  const [row] = await db().select().from(charge).where(eq(charge.id, chargeId));
  return row?.state;
}

/** Seconds until a charge is looked at again. */
async function nextTry(chargeId: string): Promise<number> {
  const { rows } = await db().execute<{ seconds: number }>(sql`
    SELECT extract(epoch FROM next_try_at - engine_now())::float8 AS seconds FROM charge WHERE id = ${chargeId}`);
  return rows[0]?.seconds ?? Number.NaN;
}

async function after(seconds: number, deps = portal.deps) {
  await advanceEngineClock(deps, seconds);
  await sweep(deps);
}

const authorizeByHand = (orderid: string) =>
  emulator.callAs('portal', 'POST', '/transactions', {
    command: 'authonly',
    amount: '108.25',
    orderid,
    creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
  });

/** Spends the minute's listings of the charge's account. */
async function spendListings(chargeId: string) {
  const [row] = await db().select().from(charge).where(eq(charge.id, chargeId));
  await beginEngineMinute(portal.deps);
  for (let page = 0; page < 30; page++)
    await takeListing(db(), { accountId: row?.merchantAccountId ?? 0, urgency: 'payer' });
}

/** Sales that the merchant makes by hand. */
async function sellByHand(count: number) {
  const creditcard = { number: '4000100011112224', expiration: '1230', cvc: '123' };
  for (let sale = 0; sale < count; sale++) {
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'sale', amount: '1.00', creditcard });
  }
}

const silentAccounts = () => listSilentAccounts(db(), { publicUrl: portal.deps.env.PUBLIC_URL });

const rowsOf = async (orderId: string) => (await emulator.ledger()).filter((row) => row.orderid === orderId);

describe('a hold whose answer was lost', () => {
  test('is found by its order id within seconds, and released', async () => {
    const abandoned = await lost('after');
    await after(6);
    expect(await stateOf(abandoned.id)).toBe('released');
    expect(await rowsOf(abandoned.orderId)).toMatchObject([{ status_code: 'V' }]);
    await expectBalanced();
  });

  test('is not ruled out by a list that was read before the engine’s clock was set back', async () => {
    await advanceEngineClock(portal.deps, 3 * 60 * MINUTE);
    await compareBooks(portal.deps);
    await advanceEngineClock(portal.deps, -2 * 60 * MINUTE);
    const abandoned = await lost('after');
    await after(20 * MINUTE);
    await after(61);
    expect(await stateOf(abandoned.id)).toBe('released');
    await advanceEngineClock(portal.deps, 2 * 60 * MINUTE);
  });

  test('is found beyond the first page of the provider’s list', async () => {
    const abandoned = await lost('after');
    await sellByHand(120);
    await after(6);
    expect(await stateOf(abandoned.id)).toBe('released');
  });

  test.each([
    { fault: 'reset', when: 'before', command: 'void:release' },
    { fault: 'reset', when: 'after', command: 'void:release' },
    { fault: 'status', status: 503, when: 'before', command: 'void:release' },
    { fault: 'wrong', command: 'get', answer: { status_code: 'P', trantype_code: 'A' }, times: 2 },
    { fault: 'status', status: 429, command: 'list' },
    { fault: 'bad-json', command: 'list' },
    { fault: 'list-shift', command: 'list' },
  ])('is released although the provider answers %j', async (fault) => {
    const abandoned = await lost('after');
    await emulator.script(fault);
    await sweepAll();
    expect(await stateOf(abandoned.id)).toBe('released');
    await expectBalanced();
  });

  test.each([
    { what: 'that was made', when: 'after', ends: 'released' },
    { what: 'that was never made', when: 'before', ends: 'absent' },
  ] as const)(
    '$what is $ends within the hour of the longest back-off, when the list can be read again',
    async ({ when, ends }) => {
      const abandoned = await lost(when);
      await emulator.script({ fault: 'bad-json', command: 'list', times: 100 });
      for (let look = 0; look < 7; look++) await after((await nextTry(abandoned.id)) + 1);
      expect(await nextTry(abandoned.id)).toBeCloseTo(60 * MINUTE, -1);
      await emulator.clearFaults();
      await sweepAll();
      expect(await stateOf(abandoned.id)).toBe(ends);
      await expectBalanced();
    },
  );

  test('that the provider makes minutes later is found and released', async () => {
    const late = await lost('before');
    await after(5 * MINUTE);
    expect(await stateOf(late.id)).toBe('abandoned');
    await authorizeByHand(late.orderId);
    await sweepAll();
    expect(await stateOf(late.id)).toBe('released');
    await expectBalanced();
  });

  test('that arrives after the deadline is released, and the payer hears the decision', async () => {
    const made = await makeInvoice(db());
    const goOn = await emulator.hold();
    const paying = guestPays(made);
    await expect.poll(async () => (await chargesOf(portal.deps)).at(-1)?.state).toBe('authorising');
    const late = (await chargesOf(portal.deps)).at(-1);
    await after(30);
    await goOn();
    expect((await paying).json().errors[0].code).toBe('NotCharged');
    await sweepAll();
    expect(await stateOf(late?.id ?? '')).toBe('released');
    await expectBalanced();
  });

  test('and whose release hears of too many requests after a day is seen by a person, and still released', async () => {
    const abandoned = await lost('after');
    await emulator.script({ fault: 'status', status: 429, command: 'void:release', times: 100 });
    await after(25 * 60 * MINUTE);
    await sweep(portal.deps);
    const [waiting] = await db().select().from(charge).where(eq(charge.id, abandoned.id));
    expect(waiting?.state).toBe('releasing');
    expect(waiting?.reviewSince).not.toBeNull();
    await emulator.clearFaults();
    await after(61);
    const [ended] = await db().select().from(charge).where(eq(charge.id, abandoned.id));
    expect(ended).toMatchObject({ state: 'released', reviewSince: null });
    await expectBalanced();
  });

  test.each([{ fault: 'status', status: 500 }, { fault: 'reset' }, { fault: 'bad-json' }])(
    'is released although the first answer after a day’s outage is %j',
    async (fault) => {
      const abandoned = await lost('after');
      await emulator.script({ ...fault, command: 'get' });
      await after(25 * 60 * MINUTE);
      const [seen] = await db().select().from(charge).where(eq(charge.id, abandoned.id));
      expect(seen?.state).toBe('releasing');
      expect(seen?.reviewSince).not.toBeNull();
      await after(6);
      const [ended] = await db().select().from(charge).where(eq(charge.id, abandoned.id));
      expect(ended).toMatchObject({ state: 'released', reviewSince: null });
      await expectBalanced();
    },
  );

  test('that the provider does not release for more than a day is left for a person', async () => {
    const abandoned = await lost('after');
    await emulator.script({ fault: 'status', status: 500, command: 'get', times: 1000 });
    await after(25 * 60 * MINUTE);
    await after(6);
    expect(await stateOf(abandoned.id)).toBe('releasing');
    await after(61 * MINUTE);
    expect(await stateOf(abandoned.id)).toBe('unresolved');
    await emulator.clearFaults();
    const actor = { id: null, name: 'a person' };
    expect((await reviewCharge(portal.deps, { chargeId: abandoned.id, decision: 'release', actor })).ok).toBe(
      true,
    );
    await sweepAll();
    expect(await stateOf(abandoned.id)).toBe('released');
  });

  test('that somebody voided by hand counts as released', async () => {
    const abandoned = await lost('after');
    const [row] = await rowsOf(abandoned.orderId);
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'void', trankey: row?.key });
    await after(6);
    expect(await stateOf(abandoned.id)).toBe('released');
  });

  test.each(['settled', 'always'])(
    'that exists twice is given back twice if %s refuses releases',
    async (releaseRefused) => {
      await emulator.switch({ releaseRefused });
      const abandoned = await lost('after');
      await authorizeByHand(abandoned.orderId);
      await sweepAll();
      const rows = await rowsOf(abandoned.orderId);
      expect(rows.map((row) => row.status_code)).toEqual(['V', 'V']);
      expect(await stateOf(abandoned.id)).toBe('released');
    },
  );
});

describe('a hold that was never made', () => {
  test('is ruled out by two complete listings, a minute apart, a quarter of an hour past the deadline', async () => {
    const abandoned = await lost('before');
    await after(6);
    await after(14 * MINUTE);
    expect(await stateOf(abandoned.id)).toBe('abandoned');
    await after(2 * MINUTE);
    expect(await stateOf(abandoned.id)).toBe('abandoned');
    await after(30);
    expect(await stateOf(abandoned.id)).toBe('abandoned');
    await after(31);
    expect(await stateOf(abandoned.id)).toBe('absent');
    await expectBalanced();
  });

  test('is ruled out by a list in any order, if it is complete', async () => {
    await sellByHand(3);
    const abandoned = await lost('before');
    await emulator.script({ fault: 'list-unordered', command: 'list', times: 50 });
    await after(6);
    await after(16 * MINUTE);
    await after(61);
    expect(await stateOf(abandoned.id)).toBe('absent');
  });

  test.each(['list-missing', 'list-empty-page', 'list-lag', 'list-duplicates'])(
    'is not ruled out by a listing with the fault %s',
    async (fault) => {
      // The listing needs a row to get wrong.
      await sellByHand(1);
      await emulator.advanceClock(2);
      const abandoned = await lost('before');
      await after(6);
      await emulator.script({ fault, command: 'list', times: 50, seconds: 24 * 60 * MINUTE });
      await after(16 * MINUTE);
      for (let minute = 1; minute <= 5; minute++) await after(16 * MINUTE);
      expect(await stateOf(abandoned.id)).toBe('abandoned');
      await emulator.clearFaults();
      await after(61 * MINUTE);
      await after(61);
      expect(await stateOf(abandoned.id)).toBe('absent');
    },
  );

  test('is looked for again no later than the moment from which a listing counts as proof', async () => {
    const abandoned = await lost('before');
    // With the plain back-off, the fifth look would be followed by a quarter of an hour of waiting.
    for (const seconds of [6, 6, 16, 61, 5 * MINUTE + 1]) await after(seconds);
    expect(await nextTry(abandoned.id)).toBeLessThan(9 * MINUTE + 30);
  });

  test('is not looked for again at once while the provider shows no complete list', async () => {
    const abandoned = await lost('before');
    await after(16 * MINUTE);
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 100 });
    await after(61);
    await after(61);
    expect(await nextTry(abandoned.id)).toBeGreaterThan(10);
  });

  test('and cannot be ruled out within a day is left for a person', async () => {
    const abandoned = await lost('before');
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 1000 });
    await after(6);
    await after(25 * 60 * MINUTE);
    await after(61 * MINUTE);
    expect(await stateOf(abandoned.id)).toBe('unresolved');
    const [row] = await db().select().from(charge).where(eq(charge.id, abandoned.id));
    expect(row?.reviewSince).not.toBeNull();
  });

  test.each([
    { fault: 'status', status: 500 },
    { fault: 'bad-json' },
    { fault: 'reset' },
    { fault: 'status', status: 401 },
  ])('is looked for again if the first list after a day’s outage is answered with %j', async (fault) => {
    const abandoned = await lost('before');
    await advanceEngineClock(portal.deps, 25 * 60 * MINUTE);
    await emulator.script({ ...fault, command: 'list' });
    await sweep(portal.deps);
    const [seen] = await db().select().from(charge).where(eq(charge.id, abandoned.id));
    expect(seen?.state).toBe('abandoned');
    expect(seen?.reviewSince).not.toBeNull();
    expect(await nextTry(abandoned.id)).toBeLessThanOrEqual(5);
    // The account may rest for a while, if earlier lists weren't answered either.
    for (let look = 0; look < 3; look++) await after(61);
    const [ruledOut] = await db().select().from(charge).where(eq(charge.id, abandoned.id));
    expect(ruledOut).toMatchObject({ state: 'absent', reviewSince: null });
  });

  test.each([
    ['waits for its budget', spendListings],
    ['hears of too many requests', () => emulator.script({ fault: 'status', status: 429, command: 'list' })],
  ])(
    'and whose list %s after a day is seen by a person, and ruled out once it is read',
    async (_what, stop) => {
      const abandoned = await lost('before');
      await advanceEngineClock(portal.deps, 25 * 60 * MINUTE);
      await stop(abandoned.id);
      await sweep(portal.deps);
      const [waiting] = await db().select().from(charge).where(eq(charge.id, abandoned.id));
      expect(waiting?.state).toBe('abandoned');
      expect(waiting?.reviewSince).not.toBeNull();
      await after(61);
      await after(61);
      await after(61);
      const [ruledOut] = await db().select().from(charge).where(eq(charge.id, abandoned.id));
      expect(ruledOut).toMatchObject({ state: 'absent', reviewSince: null });
    },
  );
});

describe('the budget of listings', () => {
  beforeEach(() => emulator.reset());

  test('is spent on one page for all charges whose answers were lost', async () => {
    const { deps, pages } = countPages(portal.deps);
    const abandoned = [await lost('after'), await lost('before'), await lost('after')];
    await after(6, deps);
    expect(pages).toEqual([0]);
    expect(await Promise.all(abandoned.map(({ id }) => stateOf(id)))).toEqual([
      'released',
      'abandoned',
      'released',
    ]);
  });

  test('of a minute is kept, and nobody waits for it', async () => {
    await sellByHand(1);
    const abandoned = await lost('before');
    await spendListings(abandoned.id);
    await after(6);
    expect(await stateOf(abandoned.id)).toBe('abandoned');
    expect(await nextTry(abandoned.id)).toBeLessThanOrEqual(61);
    const spent = await db().execute<{ most: number }>(sql`
      SELECT max(listings_in_minute) AS most FROM provider_budget`);
    expect(spent.rows[0]?.most).toBeLessThanOrEqual(10);
  });

  test('proves several holds absent by two readings if they were lost at about the same time', async () => {
    // Proofs due within the same half minute wait for each other.
    await beginEngineMinute(portal.deps);
    const abandoned = [await lost('before'), await lost('before'), await lost('before')];
    await after(6);
    const { deps, pages } = countPages(portal.deps);
    // Look when all of them are due, including the last lost one.
    const lastTry = async () => {
      const tries = await Promise.all(abandoned.map(({ id }) => nextTry(id)));
      return Math.max(1, ...tries.filter((seconds) => !Number.isNaN(seconds)));
    };
    for (let look = 0; look < 7; look++) await after(await lastTry(), deps);
    for (const { id } of abandoned) expect(await stateOf(id)).toBe('absent');
    expect(pages.length).toBeGreaterThanOrEqual(2);
    expect(pages.length).toBeLessThanOrEqual(7);
  });
});

describe('a provider that refuses the connection of a listing', () => {
  const refusing = (ports: { list: boolean }): Deps['gateways'] => ({
    ...portal.deps.gateways,
    of: (keys) => {
      const gateway = portal.deps.gateways.of(keys);
      return { ...gateway, list: async (page) => (ports.list ? { kind: 'not-sent' } : gateway.list(page)) };
    },
  });

  test('is left alone for longer and longer, while payments and captures continue', async () => {
    const abandoned = await lost('after');
    const ports = { list: true };
    const deps = { ...portal.deps, gateways: refusing(ports) };
    const look = async (seconds: number) => {
      await advanceEngineClock(deps, seconds);
      await sweep(deps);
      return nextTry(abandoned.id);
    };
    const rests = [await look(6)];
    for (let refusal = 0; refusal < 3; refusal++) rests.push(await look((rests.at(-1) ?? 0) + 1));
    expect(rests.map((seconds) => Math.round(seconds / MINUTE))).toEqual([5, 20, 60, 60]);

    const paid = await guestPays(await makeInvoice(db()));
    expect(paid.statusCode).toBe(200);
    await sweep(deps);
    expect((await chargesOf(deps)).at(-1)?.state).toBe('captured');

    ports.list = false;
    await look(3 * 60 * MINUTE);
    expect(await stateOf(abandoned.id)).toBe('released');
    const { rows } = await db().execute(sql`SELECT FROM provider_budget WHERE listing_refusals > 0`);
    expect(rows).toEqual([]);
  });
});

describe('a provider that does not answer a listing', () => {
  test('rests its account from the third time in a row, until it answers', async () => {
    const abandoned = await lost('after');
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 3 });
    for (let look = 0; look < 3; look++) {
      expect(await silentAccounts()).toEqual([]);
      await after((await nextTry(abandoned.id)) + 1);
    }
    expect(await silentAccounts()).toHaveLength(1);
    await after((await nextTry(abandoned.id)) + 1);
    expect(await silentAccounts()).toEqual([]);
    expect(await stateOf(abandoned.id)).toBe('released');
  });

  test('is not named as silent once nothing waits for it any more', async () => {
    const abandoned = await lost('before');
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 1000 });
    for (let look = 0; look < 4; look++) await after((await nextTry(abandoned.id)) + 1);
    expect(await silentAccounts()).toHaveLength(1);
    for (const minutes of [25 * 60, 66]) await after(minutes * MINUTE);
    expect(await stateOf(abandoned.id)).toBe('unresolved');
    await emulator.clearFaults();
    const actor = { id: null, name: 'a person' };
    expect(
      await reviewCharge(portal.deps, { chargeId: abandoned.id, decision: 'close', actor }),
    ).toMatchObject({
      ok: true,
    });
    expect(await silentAccounts()).toEqual([]);
  });
});

test('an abandoned hold that somebody captured by hand is left for a person', async () => {
  const abandoned = await lost('after');
  const [row] = await rowsOf(abandoned.orderId);
  await emulator.callAs('portal', 'POST', '/transactions', { command: 'cc:capture', trankey: row?.key });
  await after(6);
  expect(await stateOf(abandoned.id)).toBe('unresolved');
  expect(await rowsOf(abandoned.orderId)).toMatchObject([{ trantype_code: 'L', status_code: 'P' }]);
});

test('another deployment’s charges are left alone', async () => {
  const foreign = await makeCharge(portal.deps, { state: 'abandoned' });
  await db().execute(sql`
    UPDATE charge SET next_try_at = engine_now() WHERE id = ${foreign.chargeId}`);
  await db().execute(sql`UPDATE deployment SET order_prefix = 'zzzzzz'`);
  await after(20 * MINUTE);
  await after(61);
  await after(61);
  const [row] = await db().select().from(charge).where(eq(charge.id, foreign.chargeId));
  expect(row).toMatchObject({ state: 'abandoned', attempts: 0 });
  const place = { publicUrl: portal.deps.env.PUBLIC_URL };
  const lags = await readLaneLags(db(), place);
  expect(
    lags.find(({ lane }) => lane === 'find-holds'),
    'nor are they late',
  ).toMatchObject({ seconds: 0 });
  expect(await readPortalState(db(), place)).toMatchObject({ chargeLagSeconds: 0 });
});

test('the owner’s newer keys find the hold only if they show our order id', async () => {
  await emulator.reset();
  const abandoned = await lost('after');
  const before = (await listAccounts(db())).at(-1);
  const { apiKey, pin } = await emulator.merchant('portal');
  const east = await emulator.merchant('east');
  await emulator.callAs('east', 'POST', '/transactions', {
    command: 'sale',
    amount: '1.00',
    creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
  });
  const useKeys = (keys: { apiKey: string; pin: string; publicKey: string }) =>
    prepareMerchantAccounts({
      ...portal.deps,
      env: {
        ...portal.deps.env,
        USAEPAY_API_KEY: keys.apiKey,
        USAEPAY_PIN: keys.pin,
        USAEPAY_PUBLIC_KEY: keys.publicKey,
      },
    });
  // Keys of the same account, then the newest keys, of another account with its own rows.
  await useKeys({ apiKey, pin, publicKey: '_same' });
  await useKeys(east);
  const refused = async () => ({ kind: 'not-executed', status: 401 }) as const;
  const gateways: Deps['gateways'] = {
    ...portal.deps.gateways,
    of: (keys) => {
      const gateway = portal.deps.gateways.of(keys);
      return keys.id === before?.id ? { ...gateway, list: refused, find: refused } : gateway;
    },
  };
  await advanceEngineClock(portal.deps, 6);
  await sweep({ ...portal.deps, gateways });
  expect(await stateOf(abandoned.id)).toBe('released');
  await useKeys(await emulator.merchant('portal'));
});

describe('a second hold under the order of a lost one', () => {
  /** A lost hold with its key, and one that somebody made by hand after it. */
  async function twoHolds() {
    const abandoned = await lost('after');
    await authorizeByHand(abandoned.orderId);
    const [own] = await rowsOf(abandoned.orderId);
    return { abandoned, own: own?.key };
  }
  const typesOf = async (orderId: string) => (await rowsOf(orderId)).map((row) => row.trantype_code);

  test('is another charge’s: nothing is released, and a person decides', async () => {
    const { abandoned, own } = await twoHolds();
    await makeCharge(portal.deps, { state: 'captured', transactionKey: own ?? '' });
    await after(6);
    expect(await stateOf(abandoned.id)).toBe('conflict');
    expect(await typesOf(abandoned.orderId)).toEqual(['A', 'A']);
  });

  test('is not released if its own record shows another order than the list', async () => {
    const { abandoned } = await twoHolds();
    await emulator.script({ fault: 'wrong-orderid', command: 'get' });
    await after(6);
    expect(await typesOf(abandoned.orderId)).toEqual(['A', 'A']);
    await sweepAll();
    expect(await typesOf(abandoned.orderId)).toEqual(['V', 'V']);
  });

  test('is not released by a worker that slept through its lease', async () => {
    const { abandoned } = await twoHolds();
    await advanceEngineClock(portal.deps, 6);
    await inSleepyProcess((sleep) => {
      const gateways = aroundCalls(portal.deps.gateways, 'find', async (send) => {
        const answer = await send();
        sleep();
        return answer;
      });
      return findAllHolds({ ...portal.deps, gateways });
    });
    expect(await typesOf(abandoned.orderId)).toEqual(['A', 'A']);
    await sweepAll();
    expect(await typesOf(abandoned.orderId)).toEqual(['V', 'V']);
  });

  test('is not released by a worker whose charge another one has leased', async () => {
    const { abandoned } = await twoHolds();
    await advanceEngineClock(portal.deps, 6);
    const gateways = aroundCalls(portal.deps.gateways, 'list', async (send) => {
      const answer = await send();
      await db().execute(sql`UPDATE charge SET fence = fence + 1 WHERE id = ${abandoned.id}`);
      return answer;
    });
    await findAllHolds({ ...portal.deps, gateways });
    expect(await typesOf(abandoned.orderId)).toEqual(['A', 'A']);
  });
});
