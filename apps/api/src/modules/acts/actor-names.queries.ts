import { type SQL, sql } from 'drizzle-orm';

/** Names that several of the staff have. Uncorrelated, so that Postgres reads them once for all rows. */
const SHARED_NAMES = sql`
  SELECT trim(concat_ws(' ', other.first_name, other.last_name))
    FROM staff JOIN app_user other ON other.id = staff.user_id GROUP BY 1 HAVING count(*) > 1`;

/** A person by name; by email too if another one has the same name, and by email alone without a name. */
const personName = (is: SQL): SQL => sql`
  SELECT CASE WHEN person.name = '' THEN person.email
              WHEN person.name IN (${SHARED_NAMES}) THEN person.name || ' (' || person.email || ')'
              ELSE person.name END
    FROM (SELECT s.id, u.email, trim(concat_ws(' ', u.first_name, u.last_name)) AS name
            FROM staff s JOIN app_user u ON u.id = s.user_id) AS person
   WHERE ${is}`;

/** A person or a program as every screen but the audit names them: a program as `key:` and its key's name. */
export const actorName = (id: SQL): SQL => sql`
  coalesce((${personName(sql`person.id = ${id}`)}),
           (SELECT 'key:' || k.name FROM office_api_key k WHERE k.id = ${id}))`;

/** The same for an actor as the audit keeps them: a person by email, a program as `key:` and its key's name. */
export const auditActorName = (actor: SQL): SQL => sql`
  coalesce((${personName(sql`person.email = ${actor}`)}), ${actor})`;
