import type { Actor } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { noticeRestore } from '../epoch/begin-epoch.ts';

/**
 * A person reports that the database was put back where it can't notice that itself. Closes payments until the
 * provider's lists have been compared back to the newest known payment, and to `since`.
 */
export function startComparison(
  deps: Pick<Deps, 'db' | 'env' | 'log'>,
  { since, actor }: { since: Date | null; actor: Actor },
): Promise<void> {
  return noticeRestore(deps, { actor, since, detail: { since } });
}
