import type { Queryable } from '../../db/client.ts';
import { query } from '../../db/query.ts';

/** Whether a caller sees a franchise. One they don't see is answered as if it didn't exist. */
export async function isFranchiseVisible(
  db: Queryable,
  { actorId, franchiseId }: { actorId: string; franchiseId: number },
): Promise<boolean> {
  const rows = await query(db)`
    SELECT FROM visible_franchise WHERE actor_id = ${actorId} AND franchise_id = ${franchiseId}`;
  return rows.length > 0;
}
