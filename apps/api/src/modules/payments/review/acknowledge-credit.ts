import type { Actor } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { markCreditSeen } from '../engine/credits.queries.ts';

/** A person confirms having seen a credit that couldn't be mailed. */
export function acknowledgeCredit(
  { db }: Pick<Deps, 'db'>,
  { creditId, actor }: { creditId: number; actor: Actor },
) {
  return db.transaction(async (tx) => {
    const isSeen = await markCreditSeen(tx, { creditId, actor });
    return isSeen ? ok({ creditId }) : fail('not-found');
  });
}
