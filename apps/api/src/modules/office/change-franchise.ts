import type { FranchiseAnswer, FranchiseSettings } from '@brightpane/contract/office';
import type { Deps } from '../../deps.ts';
import type { OfficeCaller } from '../../http/office-caller.ts';
import { fail, ok } from '../../http/result.ts';
import { recordOfficeAct } from '../acts/record-office-act.ts';
import { isFranchiseVisible } from '../acts/visible-franchises.queries.ts';
import { replaceMerchantAccount } from '../merchant-accounts/replace-merchant-account.ts';
import { findFranchise, updateFranchise } from './franchises.queries.ts';

/** Sets what the import does not carry. What is not named stays; new keys serve the charges that begin from now on. */
export async function changeFranchise(
  deps: Deps,
  { franchiseId, settings, by }: { franchiseId: number; settings: FranchiseSettings; by: OfficeCaller },
) {
  return deps.db.transaction(async (tx) => {
    const { gateway, ...columns } = settings;
    if (!(await isFranchiseVisible(tx, { actorId: by.id, franchiseId }))) return fail('not-found');
    if (!(await updateFranchise(tx, { franchiseId, ...columns }))) return fail('not-found');
    if (gateway !== undefined) await replaceMerchantAccount(deps, { tx, franchiseId, keys: gateway });
    await recordOfficeAct(tx, by, {
      action: 'change-franchise',
      subject: `franchise ${franchiseId}`,
      franchiseId,
      // The names of what was set: some of the values are keys.
      detail: { settings: Object.keys(settings) },
    });
    const franchise: FranchiseAnswer = await findFranchise(tx, franchiseId);
    return ok(franchise);
  });
}
