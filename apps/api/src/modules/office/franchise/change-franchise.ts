import type { FranchiseAnswer, FranchiseSettings } from '@brightpane/contract/office';
import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { type Failure, fail, ok, type Success } from '../../../http/result.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import { isFranchiseVisible } from '../../acts/visible-franchises.queries.ts';
import { replaceMerchantAccount } from '../../merchant-accounts/replace-merchant-account.ts';
import { findFranchise, findSettings, lockFranchise, updateFranchise } from './franchises.queries.ts';

export type SettingsRefusal = 'not-found' | 'not-allowed' | 'person-needed' | 'edited-meanwhile';

/** Settings that only headquarters may change, and never an API key. */
const HEADQUARTERS = ['maxCreditPercent', 'refundLimit', 'refundDayLimit'] as const;

const isHeadquarters = (settings: FranchiseSettings) =>
  HEADQUARTERS.some((name) => settings[name] !== undefined);

/**
 * Changes settings that the import doesn't carry. Omitted ones stay; new keys apply to charges that begin from now on.
 */
export async function changeFranchise(
  deps: Deps,
  change: {
    franchiseId: number;
    settings: FranchiseSettings;
    by: OfficeCaller;
    /** The version of the settings that the person saw. */
    version: number | undefined;
    /** Spends the person's second factor. */
    confirm: (tx: Queryable) => Promise<void>;
  },
): Promise<Success<FranchiseAnswer> | Failure<SettingsRefusal>> {
  const { franchiseId, settings, by, version, confirm } = change;
  const refusal = refuse(settings, by);
  if (refusal) return fail(refusal);
  return allOrNothing<Success<FranchiseAnswer> | Failure<SettingsRefusal>>(deps.db, async (tx) => {
    const { gateway, ...columns } = settings;
    if (!(await isFranchiseVisible(tx, { actorId: by.id, franchiseId }))) return fail('not-found');
    await lockFranchise(tx, franchiseId);
    const before = await findSettings(tx, franchiseId);
    if (isHeadquarters(settings) || gateway !== undefined) await confirm(tx);
    if (version !== undefined && version !== before.version) return fail('edited-meanwhile');
    await updateFranchise(tx, { franchiseId, ...columns });
    if (gateway !== undefined) await replaceMerchantAccount(deps, { tx, franchiseId, keys: gateway });
    const franchise = await findFranchise(tx, franchiseId);
    const names = Object.keys(columns) as (keyof typeof columns)[];
    await recordAct(tx, by, {
      action: 'change-franchise',
      subject: `franchise ${franchiseId}`,
      franchiseId,
      before: pick(before, names),
      after: pick(franchise, names),
      // Only the names, as some of the values are keys.
      detail: { settings: Object.keys(settings) },
    });
    return ok(franchise);
  });
}

function refuse(settings: FranchiseSettings, by: OfficeCaller): SettingsRefusal | null {
  if (isHeadquarters(settings)) {
    if (by.kind === 'key') return 'person-needed';
    if (by.role !== 'admin') return 'not-allowed';
  }
  return settings.gateway !== undefined && !by.rights.has('keys') ? 'not-allowed' : null;
}

const pick = <Of extends object>(of: Of, names: readonly (keyof Of)[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, of[name] ?? null]));
