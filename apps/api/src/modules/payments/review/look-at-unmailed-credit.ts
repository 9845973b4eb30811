import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { findUnseenCredit, insertCreditLook } from '../engine/credits.queries.ts';

/** Notes that somebody looked at a credit that couldn't be mailed. */
export function lookAtUnmailedCredit(
  { db }: Pick<Deps, 'db'>,
  { creditId, caller }: { creditId: number; caller: OfficeCaller },
) {
  return db.transaction(async (tx) => {
    const credit = await findUnseenCredit(tx, { creditId });
    if (!credit) return fail('not-found');
    const isFirst = await insertCreditLook(tx, { ...credit, actorId: caller.id, note: null });
    if (!isFirst) return fail('not-found');
    await recordAct(tx, caller, {
      action: 'acknowledge credit',
      subject: `credit ${creditId}`,
      detail: { rows: [{ chargeId: credit.chargeId }] },
    });
    return ok({ creditId });
  });
}
