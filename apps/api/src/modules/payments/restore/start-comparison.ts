import type { Actor } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { noticeRestore } from '../epoch/begin-epoch.ts';

/**
 * A person's word that the database was put back, where it cannot see that itself. Payments are closed from now on,
 * until the provider's lists have been compared back to the newest payment that is known, and to `since`.
 */
export function startComparison(
  deps: Pick<Deps, 'db' | 'env' | 'log'>,
  { since, actor }: { since: Date | null; actor: Actor },
): Promise<void> {
  return noticeRestore(deps, { actor, since, detail: { since } });
}
