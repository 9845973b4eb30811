import { expect, test } from 'vitest';
import { aroundCalls } from '../../../../test/around-calls.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { endWaitsAhead } from '../../../jobs/lanes/end-waits-ahead.ts';
import { listAccounts } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { restListing, takeListing } from '../listings/listings.queries.ts';
import { compareAfterRestore } from './compare-after-restore.ts';
import { startComparison } from './start-comparison.ts';

const { portal, guestPays } = usePayments();
const MINUTE = 60;

/** Connections for listings are refused until they rest for hours. */
async function refuseListings(): Promise<void> {
  const [account] = await listAccounts(portal.deps.db.query);
  const accountId = account?.id ?? 0;
  await takeListing(portal.deps.db.query, { accountId, urgency: 'look-up' });
  for (let refusal = 0; refusal < 5; refusal++) await restListing(portal.deps.db.query, { accountId });
  expect(await restFor()).toBe(4);
}

const restFor = async () => {
  const { rows } = await portal.deps.db.pool.query<{ hours: number }>(`
    SELECT round(extract(epoch FROM max(listing_rests_until) - engine_now()) / 3600)::integer AS hours
      FROM provider_budget`);
  return rows[0]?.hours;
};

test.each([
  [
    'a start of Postgres',
    async () => {
      await portal.deps.db.pool.query(`UPDATE books_epoch SET mark = 'of another database'`);
      await currentEpoch(portal.deps);
    },
  ],
  ['a restore', () => startComparison(portal.deps, { actor: { id: null, name: 'office' }, since: null })],
])(
  'an account that %s closed is read minutes after a refused connection, while other listings rest for hours',
  async (_what, begin) => {
    await refuseListings();
    await begin();
    await compareAfterRestore(portal.deps);
    expect((await guestPays(await makeInvoice(portal.deps.db.query))).statusCode).toBe(503);
    await advanceEngineClock(portal.deps, 5 * MINUTE);
    await compareAfterRestore(portal.deps);
    expect((await guestPays(await makeInvoice(portal.deps.db.query))).statusCode).toBe(200);
    expect(await restFor()).toBeNull();
    await sweep(portal.deps);
  },
);

test('an account that was closed while the engine’s clock was ahead is read once the clock is set back', async () => {
  const days = 10 * 24 * 60 * MINUTE;
  await advanceEngineClock(portal.deps, days);
  await refuseListings();
  await startComparison(portal.deps, { actor: { id: null, name: 'office' }, since: null });
  await compareAfterRestore(portal.deps);
  await advanceEngineClock(portal.deps, -days);
  await endWaitsAhead(portal.deps);
  await compareAfterRestore(portal.deps);
  expect((await guestPays(await makeInvoice(portal.deps.db.query))).statusCode).toBe(200);
  const unconfirmed = await portal.deps.db.pool.query(
    'SELECT FROM account_look WHERE confirm_at > engine_now()',
  );
  expect(unconfirmed.rowCount).toBeGreaterThan(0);
  await sweep(portal.deps);
});

test('a comparison that was begun while the engine’s clock was ahead is begun anew once the clock is set back', async () => {
  await startComparison(portal.deps, { actor: { id: null, name: 'office' }, since: null });
  const lease = (until: string) =>
    portal.deps.db.pool.query(`UPDATE deployment SET comparing_until = engine_now() + interval '${until}'`);
  await lease('5 minutes');
  await compareAfterRestore(portal.deps);
  expect((await guestPays(await makeInvoice(portal.deps.db.query))).statusCode).toBe(503);
  await lease('3 hours');
  await compareAfterRestore(portal.deps);
  expect((await guestPays(await makeInvoice(portal.deps.db.query))).statusCode).toBe(200);
  await sweep(portal.deps);
});

test('a look made while the engine’s clock was ahead is confirmed once the clock is set back', async () => {
  const days = 10 * 24 * 60 * MINUTE;
  const countUnconfirmed = async () =>
    (await portal.deps.db.pool.query('SELECT FROM account_look WHERE confirm_at IS NOT NULL')).rowCount;
  await advanceEngineClock(portal.deps, days);
  await startComparison(portal.deps, { actor: { id: null, name: 'office' }, since: null });
  await compareAfterRestore(portal.deps);
  expect(await countUnconfirmed()).toBeGreaterThan(0);
  await advanceEngineClock(portal.deps, 16 * MINUTE - days);
  await compareAfterRestore(portal.deps);
  expect(await countUnconfirmed()).toBe(0);
});

test('while it is refused, such an account asks once in five minutes', async () => {
  await refuseListings();
  await startComparison(portal.deps, { actor: { id: null, name: 'office' }, since: null });
  const { gateways } = portal.deps;
  let asked = 0;
  portal.deps.gateways = aroundCalls(gateways, 'list', async () => {
    asked++;
    return { kind: 'not-sent' };
  });
  for (let minute = 0; minute < 30; minute++) {
    await advanceEngineClock(portal.deps, MINUTE);
    await compareAfterRestore(portal.deps);
  }
  portal.deps.gateways = gateways;
  expect(asked).toBeGreaterThan(3);
  expect(asked).toBeLessThanOrEqual(6);
});
