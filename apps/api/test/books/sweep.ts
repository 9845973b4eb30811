import type { Deps } from '../../src/deps.ts';
import { listAccounts } from '../../src/modules/merchant-accounts/merchant-accounts.queries.ts';
import { currentEpoch } from '../../src/modules/payments/epoch/begin-epoch.ts';
import { storeLook } from '../../src/modules/payments/epoch/looks.queries.ts';
import { listRefundingAccounts } from '../../src/modules/payments/refunds/sweep/refund-leases.queries.ts';
import { sweepRefunds } from '../../src/modules/payments/refunds/sweep/sweep-refunds.ts';
import { expirePayments } from '../../src/modules/payments/sweep/expire-payments.ts';
import { findHolds } from '../../src/modules/payments/sweep/find-holds.ts';
import {
  leaseKeyedCharges,
  listUnfinishedAccounts,
} from '../../src/modules/payments/sweep/leases.queries.ts';
import { sweepCharge } from '../../src/modules/payments/sweep/sweep-charges.ts';
import { advanceEngineClock } from './engine-clock.ts';

/** Opens the accounts as two looks at each list do, for portals without a provider. */
export async function openAccounts(deps: Deps): Promise<void> {
  const publicUrl = deps.env.PUBLIC_URL;
  const { epoch } = await currentEpoch(deps);
  for (const { id } of await listAccounts(deps.db.query)) {
    const look = { publicUrl, accountId: id, epoch, confirmBack: new Date(0) };
    await storeLook(deps.db.query, look);
    await storeLook(deps.db.query, look);
  }
}

/** Looks for every account's lost holds. */
export async function findAllHolds(deps: Deps): Promise<void> {
  for (const accountId of await listUnfinishedAccounts(deps.db.query)) await findHolds(deps, { accountId });
}

/** Works off every account's charges, one at a time: in a simulation, a sweep is in one place. */
export async function sweepCharges(deps: Deps): Promise<void> {
  const { db, env } = deps;
  for (const accountId of await listUnfinishedAccounts(db.query)) {
    const next = { publicUrl: env.PUBLIC_URL, accountId, most: 1 };
    for (;;) {
      const [charge] = await leaseKeyedCharges(db.query, next);
      if (!charge) break;
      await sweepCharge(deps, charge);
    }
  }
}

/** Runs the background tasks once. */
export async function sweep(deps: Deps): Promise<void> {
  await expirePayments(deps);
  await findAllHolds(deps);
  await sweepCharges(deps);
  for (const accountId of await listRefundingAccounts(deps.db.query)) await sweepRefunds(deps, { accountId });
}

/** Past the retries, a hold's proof of absence and the longest back-off; then two more sweeps. */
const WAITS_SECONDS = [70, 16 * 60, 60 * 60, 70, 70];

/** Sweeps past every wait, until nothing is left to do. */
export async function sweepUntilDone(deps: Deps): Promise<void> {
  await sweep(deps);
  for (const seconds of WAITS_SECONDS) {
    await advanceEngineClock(deps, seconds);
    await sweep(deps);
  }
}
