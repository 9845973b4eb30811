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

/**
 * Whether the staged rows are still the sender's to send: a person in the same role, and whoever sees every franchise of
 * the rows that there is. A new franchise is there once an import has written it.
 */
export async function isStillInScope(db: Queryable, sender: OfficeCaller): Promise<boolean> {
  const { id } = sender;
  const role = sender.kind === 'staff' ? sender.role : null;
  const rows = await query(db)`
    SELECT WHERE (${role}::text IS NULL OR EXISTS (SELECT FROM staff s WHERE s.id = ${id} AND s.role = ${role}))
             AND NOT EXISTS (
               SELECT FROM franchise f
                WHERE f.id IN (SELECT franchise_id FROM import_row)
                  AND NOT EXISTS (SELECT FROM visible_franchise v WHERE v.actor_id = ${id} AND v.franchise_id = f.id))`;
  return rows.length > 0;
}
