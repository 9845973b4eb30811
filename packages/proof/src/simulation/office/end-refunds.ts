import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { compareAfterRestore } from '../../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import { isRefunded, isVoided } from '../judge/provider-ledger.ts';
import type { SimulationRig } from '../rig.ts';
import { moveProviderClock } from '../world/move-provider-clock.ts';
import type { World } from '../world/world.ts';
import { type Answer, approve, review, withdraw } from './clerk-acts.ts';
import type { Clerk } from './clerks.ts';
import type { Office } from './office.ts';
import { refundsOf, type SimulatedRefund } from './refunds-of.ts';
import { settleRestore } from './settle-restore.ts';

const OPEN = ['requested', 'waiting', 'sending', 'unknown', 'held'];
/** A refund may wait for another one of its charge, so each round finishes one more. */
const MOST_ROUNDS = 6;
/** Past the time from which a list without a refund that was sent proves something. */
const ROUND_SECONDS = 20 * 60;

/**
 * The next days without any trouble: batches close, sweeps run, and two careful people approve what waits for it and
 * decide held refunds by what the provider shows. Returns refunds that they had to give up although nothing held them.
 */
export async function endRefunds(
  rig: SimulationRig,
  { world, office }: { world: World; office: Office },
): Promise<SimulatedRefund[]> {
  const { deps } = rig;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const open = (await refundsOf(rig, world)).filter(needsWork);
    if (open.length === 0) return [];
    await advanceEngineClock(deps, ROUND_SECONDS);
    await moveProviderClock(rig);
    await compareAfterRestore(deps);
    await settleRestore(deps, office.careful[0]);
    for (const refund of open) await endWithCare(rig, office.careful, refund);
    await closeBatches(rig);
    await moveProviderClock(rig);
    await sweepUntilDone(deps);
  }
  const left = (await refundsOf(rig, world)).filter(({ state }) => state === 'waiting');
  for (const { refundId } of left) await withdraw(deps, office.careful[0], refundId);
  return left;
}

const needsWork = ({ state, isClosed }: SimulatedRefund) =>
  OPEN.includes(state) || ((state === 'refused' || state === 'not_made') && !isClosed);

export async function closeBatches({ emulator }: Pick<SimulationRig, 'emulator'>): Promise<void> {
  for (const { name } of await emulator.merchants())
    await emulator.callAs(name, 'POST', '/batches/current/close', {});
}

async function endWithCare(
  { deps, emulator }: SimulationRig,
  [first, second]: Office['careful'],
  refund: SimulatedRefund,
): Promise<void> {
  const { refundId, state, requestedBy } = refund;
  const other = requestedBy === first.caller.id ? second : first;
  if (state === 'requested') await approve(deps, other, refundId);
  if (state === 'refused' || state === 'not_made') await withdraw(deps, first, refundId);
  if (state !== 'held') return;
  const ledger = await emulator.ledger();
  const equal = ledger.filter(
    (row) => row.orderid === refund.orderId && isRefunded(row) && row.amount === refund.amount,
  );
  const voided = ledger.filter((row) => row.orderid === refund.orderId && isVoided(row));
  for (const { key } of [...equal, ...voided]) {
    if ((await decide(deps, first, { refundId, decision: 'adopt', transactionKey: key })).ok) return;
  }
  if (refund.isSent) await decide(deps, first, { refundId, decision: 'not-made' });
  else await withdraw(deps, first, refundId);
}

const decide = (deps: Deps, clerk: Clerk, given: Parameters<typeof review>[2]): Promise<Answer> =>
  review(deps, clerk, given);

/** Undoes here what the provider has undone. */
export async function undoWhatWasUndone(
  rig: SimulationRig,
  { world, office }: { world: World; office: Office },
): Promise<void> {
  for (const { refundId, state, isUndone } of await refundsOf(rig, world)) {
    if (state === 'made' && !isUndone)
      await review(rig.deps, office.careful[0], { refundId, decision: 'not-made' });
  }
}
