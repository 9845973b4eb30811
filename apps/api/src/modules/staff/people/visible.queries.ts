import type { Role } from '@brightpane/contract/office-rights';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { instantText, listOf, query } from '../../../db/query.ts';

export async function findVisibleFranchises(
  db: Queryable,
  { actorId, among }: { actorId: string; among: number[] },
): Promise<number[]> {
  const rows = await query<{ id: number }>(db)`
    SELECT franchise_id AS id FROM visible_franchise
     WHERE actor_id = ${actorId} AND franchise_id = ANY(${listOf(among, 'integer')})`;
  return rows.map(({ id }) => id);
}

export async function findFranchisesOf(db: Queryable, staffId: string): Promise<number[]> {
  const rows = await query<{ id: number }>(db)`
    SELECT franchise_id AS id FROM staff_franchise WHERE staff_id = ${staffId} ORDER BY franchise_id`;
  return rows.map(({ id }) => id);
}

export type ListedStaff = {
  staffId: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  franchiseIds: number[];
  state: 'invited' | 'active' | 'off';
  isHeld: boolean;
  passkeys: number;
  hasApp: boolean;
  lastSignInAt: string | null;
  mayChange: boolean;
};

/**
 * Headquarters sees everybody. An owner sees people who share a franchise with them, and of those people's
 * franchises only their own.
 */
export async function listVisibleStaff(
  db: Queryable,
  { actorId, isForAll }: { actorId: string; isForAll: boolean },
): Promise<ListedStaff[]> {
  return query<ListedStaff>(db)`
    SELECT s.id AS "staffId", u.email, u.first_name AS "firstName", u.last_name AS "lastName", s.role, s.state,
           s.held_at IS NOT NULL AS "isHeld", places.seen AS "franchiseIds",
           ${isForAll} OR places.count = cardinality(places.seen) AS "mayChange",
           (SELECT count(*)::integer FROM staff_factor f
             WHERE f.staff_id = s.id AND f.kind = 'passkey' AND f.removed_at IS NULL) AS passkeys,
           EXISTS (SELECT FROM staff_factor f
                    WHERE f.staff_id = s.id AND f.kind = 'totp' AND f.confirmed_at IS NOT NULL
                      AND f.removed_at IS NULL) AS "hasApp",
           (SELECT ${instantText(sql`max(o.created_at)`)} FROM office_session o
             WHERE o.staff_id = s.id AND o.level = 'full') AS "lastSignInAt"
      FROM staff s
      JOIN app_user u ON u.id = s.user_id
     CROSS JOIN LATERAL (
       SELECT count(*)::integer AS count,
              coalesce(array_agg(sf.franchise_id ORDER BY sf.franchise_id)
                FILTER (WHERE v.franchise_id IS NOT NULL), '{}') AS seen
         FROM staff_franchise sf
         LEFT JOIN visible_franchise v ON v.franchise_id = sf.franchise_id AND v.actor_id = ${actorId}
        WHERE sf.staff_id = s.id) AS places
     WHERE ${isForAll} OR cardinality(places.seen) > 0
     ORDER BY s.state = 'off', u.email`;
}
