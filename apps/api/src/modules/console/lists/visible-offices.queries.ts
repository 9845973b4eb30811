import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

export type VisibleOffice = {
  franchiseId: number;
  timeZone: string;
  /** The date in the franchise's time zone. */
  today: string;
};

/** The franchises that a caller sees, or the requested one of them. */
export async function listVisibleOffices(
  db: Queryable,
  { actorId, franchiseId = null }: { actorId: string; franchiseId?: number | null | undefined },
): Promise<VisibleOffice[]> {
  return query<VisibleOffice>(db)`
    SELECT f.id AS "franchiseId", f.time_zone AS "timeZone",
           (engine_now() AT TIME ZONE f.time_zone)::date::text AS today
      FROM visible_franchise v JOIN franchise f ON f.id = v.franchise_id
     WHERE v.actor_id = ${actorId} AND (${franchiseId}::integer IS NULL OR f.id = ${franchiseId})
     ORDER BY f.id`;
}
