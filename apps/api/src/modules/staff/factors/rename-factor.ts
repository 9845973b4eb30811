import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { listFactors, renameFactor } from './factors.queries.ts';

export function renameOwnFactor(
  { db }: Pick<Deps, 'db'>,
  { caller, factorId, name }: { caller: OfficeCaller; factorId: string; name: string },
) {
  return db.transaction(async (tx) => {
    const factor = (await listFactors(tx, caller.id)).find(({ id }) => id === factorId);
    if (!factor) return fail('not-found');
    await renameFactor(tx, { staffId: caller.id, factorId, name });
    await recordAct(tx, caller, {
      action: 'rename-factor',
      subject: `staff ${caller.id}`,
      before: { name: factor.name },
      after: { name },
    });
    return ok(undefined);
  });
}
