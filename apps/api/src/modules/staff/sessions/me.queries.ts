import type { Role } from '@brightpane/contract/office-rights';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { instantText, query } from '../../../db/query.ts';

export type MeRow = {
  staffId: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  shortcuts: boolean;
  recoveryCodesLeft: number;
  endsAt: string;
  isDemo: boolean;
  franchises: { franchiseId: number; name: string; timeZone: string }[];
};

export async function findMe(db: Queryable, sessionId: string): Promise<MeRow | undefined> {
  const [row] = await query<MeRow>(db)`
    SELECT s.id AS "staffId", u.email, u.first_name AS "firstName", u.last_name AS "lastName", s.role, s.shortcuts,
           (SELECT count(*) FROM staff_recovery_code c WHERE c.staff_id = s.id AND c.used_at IS NULL)
             AS "recoveryCodesLeft",
           ${instantText(sql`o.expires_at`)} AS "endsAt", o.method = 'demo' AS "isDemo",
           (SELECT coalesce(json_agg(json_build_object(
                     'franchiseId', f.id, 'name', f.name, 'timeZone', f.time_zone) ORDER BY f.id), '[]')
              FROM visible_franchise v JOIN franchise f ON f.id = v.franchise_id
             WHERE v.actor_id = s.id) AS franchises
      FROM office_session o
      JOIN staff s ON s.id = o.staff_id
      JOIN app_user u ON u.id = s.user_id
     WHERE o.id = ${sessionId}`;
  return row;
}
