import type { Deps } from '../../../../deps.ts';
import { isNotCharged, type StoredOutcome } from '../../engine/outcomes.ts';
import { findPricedVersions } from '../../engine/payments.queries.ts';
import { currentEpoch } from '../../epoch/begin-epoch.ts';
import { lookForPayer } from '../../restore/look-at-accounts.ts';
import { type ChargeDoubt, listDoubts } from './doubt.queries.ts';

/** `unchecked`: a person has to look whether it was charged. `checked`: a person has. `unconfirmed`: nobody knows yet. */
export type Doubt = { kind: 'unchecked'; workOrderNumber: number } | { kind: 'checked' | 'unconfirmed' };

/**
 * Whether a stored "not charged" is in doubt by now; null if it stands. A payment that somebody else ended at its deadline
 * may have been accepted in newer books than these; after a restore, its accounts' lists are looked at before anything is
 * said.
 */
export async function doubtNotCharged(
  deps: Deps,
  { intentId, outcome }: { intentId: string; outcome: StoredOutcome },
): Promise<Doubt | null> {
  if (!isNotCharged(outcome)) return null;
  const isEndedByOthers = outcome.code === 'expired';
  if (isEndedByOthers) await currentEpoch(deps);
  const read = async () =>
    judge(await listDoubts(deps.db.query, { intentId, publicUrl: deps.env.PUBLIC_URL }), { isEndedByOthers });
  const doubt = await read();
  if (doubt?.kind !== 'unconfirmed') return doubt;
  const priced = await findPricedVersions(deps.db.query, intentId);
  await lookForPayer(deps, { franchiseIds: [...new Set(priced.map(({ franchiseId }) => franchiseId))] });
  return read();
}

function judge(charges: ChargeDoubt[], { isEndedByOthers }: { isEndedByOthers: boolean }): Doubt | null {
  const unchecked = charges.find(
    ({ isChecked, isUnclear }) => isChecked === false || (!isChecked && isUnclear),
  );
  if (unchecked) return { kind: 'unchecked', workOrderNumber: unchecked.workOrderNumber };
  if (charges.some(({ isChecked }) => isChecked)) return { kind: 'checked' };
  return isEndedByOthers && charges.some(({ mayBeLost }) => mayBeLost) ? { kind: 'unconfirmed' } : null;
}
