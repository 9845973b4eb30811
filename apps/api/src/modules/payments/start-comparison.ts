import { auditEvent } from '../../db/schema/operations.ts';
import type { Deps } from '../../deps.ts';
import { wake } from '../../jobs/wake.ts';
import { closePayments } from './restore.queries.ts';

/**
 * A person's word that the database was put back, where it cannot see that itself: a snapshot of the whole machine, for
 * instance. Payments are closed from now on, until the provider's list has been compared back to `since`.
 */
export async function startComparison(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  { since, actor }: { since: Date | null; actor: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await closePayments(tx, { publicUrl: env.PUBLIC_URL, since });
    await tx
      .insert(auditEvent)
      .values({ actor, action: 'close payments', subject: 'books', detail: { since } });
    await wake(tx, 'compare-after-restore');
  });
}
