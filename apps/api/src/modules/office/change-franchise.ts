import type { FranchiseAnswer, FranchiseSettings } from '@brightpane/contract/office';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { replaceMerchantAccount } from '../merchant-accounts/replace-merchant-account.ts';
import { findFranchise, updateFranchise } from './franchises.queries.ts';
import { recordOfficeAct } from './record-office-act.ts';

/** Sets what the import does not carry. What is not named stays; new keys serve the charges that begin from now on. */
export async function changeFranchise(
  deps: Deps,
  { franchiseId, settings }: { franchiseId: number; settings: FranchiseSettings },
) {
  return deps.db.transaction(async (tx) => {
    const { gateway, ...columns } = settings;
    if (!(await updateFranchise(tx, { franchiseId, ...columns }))) return fail('not-found');
    if (gateway !== undefined) await replaceMerchantAccount(deps, { tx, franchiseId, keys: gateway });
    await recordOfficeAct(tx, {
      action: 'change-franchise',
      subject: `franchise ${franchiseId}`,
      // The names of what was set: some of the values are keys.
      detail: { settings: Object.keys(settings) },
    });
    const franchise: FranchiseAnswer = await findFranchise(tx, franchiseId);
    return ok(franchise);
  });
}
