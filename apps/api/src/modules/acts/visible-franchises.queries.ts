import { and, eq } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { visibleFranchise } from '../../db/schema/staff.ts';

/** Whether a caller sees a franchise. One they don't see is answered as if it didn't exist. */
export async function isFranchiseVisible(
  db: Queryable,
  { actorId, franchiseId }: { actorId: string; franchiseId: number },
): Promise<boolean> {
  const rows = await db
    .select({ franchiseId: visibleFranchise.franchiseId })
    .from(visibleFranchise)
    .where(and(eq(visibleFranchise.actorId, actorId), eq(visibleFranchise.franchiseId, franchiseId)));
  return rows.length > 0;
}
