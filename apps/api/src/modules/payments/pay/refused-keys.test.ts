import { beforeEach, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { findCurrentAccount, storeSealedKeys } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { replaceMerchantAccount } from '../../merchant-accounts/replace-merchant-account.ts';
import { sealKeys } from '../../merchant-accounts/sealed-keys.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();

/** The provider locks our address out at the next failed sign-in. */
const FAILED_SIGN_INS = 10;

let franchiseId: number;

beforeEach(async () => {
  const { deps } = portal;
  const keys = await emulator.merchant('north');
  ({ franchiseId } = await makeInvoice(db()));
  await deps.db.transaction((tx) => replaceMerchantAccount(deps, { tx, franchiseId, keys }));
});

const payThere = async () => guestPays(await makeInvoice(db(), { franchiseId }), { merchant: 'north' });

async function storeKeys({ pin }: { pin: string }): Promise<void> {
  const { apiKey } = await emulator.merchant('north');
  const { id } = (await findCurrentAccount(db(), franchiseId)) ?? { id: 0 };
  await storeSealedKeys(db(), { id, ...sealKeys(portal.deps.secretBox, id, { apiKey, pin }) });
}

test('refused keys of one office lock out no other, and are good again once they are right', async () => {
  expect((await payThere()).statusCode).toBe(200);
  const { pin } = await emulator.merchant('north');
  await storeKeys({ pin: 'withdrawn' });
  await emulator.switch({ failedSignInsPerHour: FAILED_SIGN_INS });
  for (let press = 0; press < 2 * FAILED_SIGN_INS; press++) {
    const told = await payThere();
    expect([told.statusCode, told.json()]).toMatchObject([
      503,
      { detail: 'Your card was not charged. Please try again.' },
    ]);
  }
  for (let minute = 0; minute < 30; minute++) {
    await advanceEngineClock(portal.deps, 60);
    await sweep(portal.deps);
  }
  const other = await guestPays(await makeInvoice(db()));
  expect(other.statusCode, other.body).toBe(200);
  await storeKeys({ pin });
  expect((await payThere()).statusCode).toBe(200);
  await sweepAll();
  const states = (await chargesOf(portal.deps)).map(({ state }) => state);
  expect(states.filter((state) => state !== 'refused')).toEqual(Array(3).fill('captured'));
  await expectBalanced();
});
