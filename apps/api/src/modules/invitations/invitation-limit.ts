import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import type { OfficeCaller } from '../../http/office-caller.ts';
import { ok } from '../../http/result.ts';
import { countWithin } from '../limits/check-limits.ts';
import { cap } from '../limits/limit.ts';

const INVITATIONS_A_DAY = cap('invitations of one person of an office', { max: 200, windowSeconds: 86_400 });

/** Counts an invitation in its own transaction. API keys aren't limited, as an office may have many customers. */
export async function takeInvitation(deps: Deps, tx: Queryable, by: OfficeCaller) {
  if (by.kind === 'key') return ok(undefined);
  return countWithin({ ...deps, db: { query: tx } }, [{ limit: INVITATIONS_A_DAY, of: [by.id] }]);
}
