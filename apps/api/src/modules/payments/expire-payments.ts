import type { Deps } from '../../deps.ts';
import { abandonExpired } from './abandon-expired.ts';
import { listExpiredIntents } from './payments.queries.ts';

/** Ends every payment that nobody decided in time: its process died, or lost its database. */
export async function expirePayments(deps: Deps): Promise<void> {
  for (const intentId of await listExpiredIntents(deps.db.query)) await abandonExpired(deps, { intentId });
}
