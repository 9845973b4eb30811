import type { Deps } from '../../../deps.ts';
import { abandonExpired } from '../engine/abandon-expired.ts';
import { listExpiredIntents } from '../engine/payments.queries.ts';

/**
 * Ends payments past their deadline whose process died or lost its database. One that can't be ended holds up no other.
 */
export async function expirePayments(
  deps: Deps,
  { isStopping = () => false }: { isStopping?: () => boolean } = {},
): Promise<void> {
  const failures: unknown[] = [];
  for (const intentId of await listExpiredIntents(deps.db.query)) {
    if (isStopping()) break;
    await abandonExpired(deps, { intentId }).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
