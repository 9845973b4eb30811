import type { Deps } from '../../deps.ts';
import { removeCountersEndedBy } from './limits.queries.ts';

/** Removes what no limit looks at any more. */
export async function forgetOldLimits(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await removeCountersEndedBy(deps.db.query, deps.clock());
}
