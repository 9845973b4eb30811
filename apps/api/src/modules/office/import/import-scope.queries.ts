import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';

export async function listOwnFranchises(
  db: Queryable,
  { id }: Pick<OfficeCaller, 'id'>,
): Promise<{ id: number; name: string; timeZone: string }[]> {
  return query<{ id: number; name: string; timeZone: string }>(db)`
    SELECT f.id, f.name, f.time_zone AS "timeZone"
      FROM visible_franchise v JOIN franchise f ON f.id = v.franchise_id WHERE v.actor_id = ${id}`;
}
