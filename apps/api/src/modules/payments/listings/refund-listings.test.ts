import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { beginEngineMinute } from '../../../../test/books/engine-clock.ts';
import { countPages } from '../../../../test/count-pages.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeRefundable, requestRefund } from '../../../../test/factories/requested-refunds.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { listAccounts } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { replaceMerchantAccount } from '../../merchant-accounts/replace-merchant-account.ts';
import { sweepRefunds } from '../refunds/sweep/sweep-refunds.ts';
import { takeListing, type Urgency } from './listings.queries.ts';

const { emulator, portal, db, guestPays, sweepAll } = usePayments();

beforeEach(async () => {
  await db().execute(sql`DELETE FROM provider_budget`);
  await beginEngineMinute(portal.deps);
});

async function accountIds(): Promise<number[]> {
  return (await listAccounts(db())).map(({ id }) => id);
}

const take = async (accountId: number, urgency: Urgency) =>
  (await takeListing(db(), { accountId, urgency })).turn;

/** Takes turns until there is none; returns how many were taken, and what was answered then. */
async function takeAll(accountId: number, urgency: Urgency): Promise<[number, string]> {
  for (let taken = 0; ; taken++) {
    const turn = await take(accountId, urgency);
    if (turn !== 'taken') return [taken, turn];
  }
}

/** Today's listings so far, all before this minute. */
const haveRead = (accountId: number, pages: number) =>
  db().execute(sql`
    INSERT INTO provider_budget (merchant_account_id, minute, listings_in_minute, day, listings_in_day)
    VALUES (${accountId}, engine_now() - interval '1 hour', 0, date_trunc('day', engine_now()), ${pages})`);

test('refunds leave the comparison one listing of each minute', async () => {
  const [accountId = 0] = await accountIds();
  expect(await takeAll(accountId, 'refund')).toEqual([9, 'minute-spent']);
  expect(await takeAll(accountId, 'comparison')).toEqual([1, 'minute-spent']);
});

test('an account’s refunds leave its comparison two hundred of each day', async () => {
  const [accountId = 0] = await accountIds();
  await haveRead(accountId, 800);
  expect(await take(accountId, 'refund')).toBe('day-spent');
  expect(await take(accountId, 'comparison')).toBe('taken');
});

test('refunds of one account leave the others’ comparison one of each minute, and two hundred of each day', async () => {
  const { franchiseId } = await makeInvoice(db());
  const keys = { ...(await emulator.merchant('east')), publicKey: '_another' };
  await portal.deps.db.transaction((tx) => replaceMerchantAccount(portal.deps, { tx, franchiseId, keys }));
  const [first = 0, second = 0] = await accountIds();
  expect(await takeAll(first, 'refund')).toEqual([9, 'minute-spent']);
  expect(await take(second, 'refund')).toBe('minute-spent');
  expect(await take(second, 'comparison')).toBe('taken');
  await db().execute(sql`DELETE FROM provider_budget`);
  await haveRead(first, 1_300);
  expect(await take(second, 'refund')).toBe('day-spent');
  expect(await take(second, 'comparison')).toBe('taken');
});

test('a refund about to be sent leaves the minute’s last listing, and reads the list in the next minute', async () => {
  const invoice = await makeInvoice(db());
  await guestPays(invoice);
  await sweepAll();
  const sale = await makeRefundable(db(), invoice);
  await requestRefund(portal.deps, sale, { invoiceCents: 100_00, taxCents: 8_25 });
  const [accountId = 0] = await accountIds();
  await beginEngineMinute(portal.deps);
  for (let listing = 0; listing < 9; listing++) await take(accountId, 'look-up');
  const { deps, pages } = countPages(portal.deps);
  await sweepRefunds(deps, { accountId });
  expect(pages.length).toBe(0);
  await beginEngineMinute(portal.deps);
  await beginEngineMinute(portal.deps);
  await sweepRefunds(deps, { accountId });
  expect(pages.length).toBeGreaterThan(0);
});
