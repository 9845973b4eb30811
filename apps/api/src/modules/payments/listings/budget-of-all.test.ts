import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { advanceEngineClock, beginEngineMinute } from '../../../../test/books/engine-clock.ts';
import { countPages } from '../../../../test/count-pages.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { guestSale, payAsGuest } from '../../../../test/factories/payments/payments.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { PORTAL } from '../../../db/audit.queries.ts';
import { trackUnderWay } from '../../../under-way.ts';
import { replaceMerchantAccount } from '../../merchant-accounts/replace-merchant-account.ts';
import { compareBooks, compareDueBooks } from '../books/compare-books.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { lookAtAccounts } from '../restore/look-at-accounts.ts';

const { emulator, portal, db, guestPays } = usePayments();
const ACCOUNTS = 50;

/** The last franchise, with an account of its own like all others. */
let franchiseId: number;

beforeAll(async () => {
  const keys = await emulator.merchant('east');
  for (let account = 1; account < ACCOUNTS; account++) {
    ({ franchiseId } = await makeInvoice(db()));
    // The provider knows each by the same keys, and the portal can't tell.
    const own = { ...keys, publicKey: `_account${account}` };
    await portal.deps.db.transaction((tx) =>
      replaceMerchantAccount(portal.deps, { tx, franchiseId, keys: own }),
    );
  }
}, 60_000);

beforeEach(async () => {
  await beginEngineMinute(portal.deps);
  await emulator.advanceClock(120);
});

test('the nightly comparison of many accounts leaves the provider’s calls to payers, and reaches every account', async () => {
  const { deps, pages } = countPages(portal.deps);
  await emulator.switch({ rateLimit: true });
  await compareDueBooks(deps);
  expect(pages.length).toBe(10);
  await compareDueBooks(deps);
  expect(pages.length).toBe(10);
  expect((await guestPays(await makeInvoice(db()))).statusCode).toBe(200);
  await emulator.switch({ rateLimit: false });
  for (let minute = 1; minute < 5; minute++) {
    await advanceEngineClock(portal.deps, 60);
    await compareDueBooks(deps);
  }
  expect(pages.length).toBe(ACCOUNTS);
  const { rows } = await db().execute(sql`SELECT FROM book_comparison WHERE is_complete`);
  expect(rows.length).toBe(ACCOUNTS);
});

test('whoever asks for a comparison of more accounts than a minute allows hears of it in time, and the task goes on', async () => {
  const { deps, pages } = countPages(portal.deps);
  const asked = await compareBooks(deps, PORTAL, { longestMilliseconds: 20_000 });
  expect(asked.isComplete).toBe(false);
  expect(pages.length).toBe(15);
  for (let minute = 0; minute < 6; minute++) {
    await beginEngineMinute(portal.deps);
    await compareDueBooks(deps);
  }
  expect(pages.length).toBe(ACCOUNTS);
});

test('so do the looks after a start of Postgres, and a payer need not wait for them', async () => {
  await db().execute(sql`UPDATE books_epoch SET mark = 'of another database'`);
  await currentEpoch(portal.deps);
  const { deps, pages } = countPages(portal.deps);
  const everywhere = { franchiseIds: null, patience: 'payer' } as const;
  const ending = trackUnderWay();
  ending.end();
  await lookAtAccounts({ ...deps, underWay: ending }, everywhere);
  expect(pages.length).toBe(0);
  await lookAtAccounts(deps, everywhere);
  await lookAtAccounts(deps, everywhere);
  expect(pages.length).toBe(20);
  const last = await makeInvoice(db(), { franchiseId });
  const sale = await guestSale(emulator, last, { merchant: 'east' });
  expect((await payAsGuest(portal, sale)).statusCode).toBe(200);
  for (let minute = 1; minute < 3; minute++) {
    await advanceEngineClock(portal.deps, 60);
    await lookAtAccounts(deps, everywhere);
  }
  const { rows } = await db().execute(sql`
    SELECT FROM account_look JOIN books_epoch USING (public_url, epoch)`);
  expect(rows.length).toBe(ACCOUNTS);
});
