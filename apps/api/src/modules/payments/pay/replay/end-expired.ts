import type { Deps } from '../../../../deps.ts';
import { abandonExpired } from '../../engine/abandon-expired.ts';
import { findPricedVersions } from '../../engine/payments.queries.ts';
import { lookForPayer } from '../../restore/look-at-accounts.ts';

/**
 * Ends a payment past its deadline. If these books may lack its acceptance, looks at its accounts' lists first. Returns
 * whether it has ended.
 */
export async function endExpired(deps: Deps, { intentId }: { intentId: string }): Promise<boolean> {
  const end = async () => (await abandonExpired(deps, { intentId })).result !== 'unmoved';
  if (await end()) return true;
  const priced = await findPricedVersions(deps.db.query, intentId);
  await lookForPayer(deps, { franchiseIds: [...new Set(priced.map(({ franchiseId }) => franchiseId))] });
  return end();
}
