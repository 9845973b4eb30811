import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import type { OfficeCaller } from '../../http/office-caller.ts';
import { ok } from '../../http/result.ts';
import { checkLimits, countAgainst } from '../limits/check-limits.ts';
import { cap } from '../limits/limit.ts';

const INVITATIONS_A_DAY = cap('invitations of one person of an office', { max: 200, windowSeconds: 86_400 });

/** Counts an invitation in its own transaction. API keys aren't limited, as an office may have many customers. */
export async function takeInvitation(deps: Deps, tx: Queryable, by: OfficeCaller) {
  if (by.kind === 'key') return ok(undefined);
  const guards = [{ limit: INVITATIONS_A_DAY, of: [by.id] }];
  const inTransaction = { ...deps, db: { query: tx } };
  const allowed = await checkLimits(inTransaction, guards);
  if (allowed.ok) await countAgainst(inTransaction, guards);
  return allowed;
}
