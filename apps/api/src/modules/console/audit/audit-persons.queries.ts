import { type SQL, sql } from 'drizzle-orm';

const idIn = (text: SQL) => sql`(${text})::uuid`;

/**
 * The address of the payer or member of staff whom an act was about, as it was then. The log can't be changed, so its rows
 * name people by id alone: of an account that was closed it keeps no address, and this is null.
 */
export const personOf = (act: SQL): SQL => {
  const fact = (name: string) => sql`${act}.detail ->> ${name}`;
  const ofSubject = (kind: string) => sql`${act}.subject ~ ${`^${kind} [0-9a-f-]{36}$`}`;
  const subjectId = idIn(sql`split_part(${act}.subject, ' ', 2)`);
  return sql`
    CASE WHEN ${fact('invitationId')} IS NOT NULL THEN (
           SELECT t.email FROM invitation t
            WHERE t.id = ${idIn(fact('invitationId'))} AND t.email NOT LIKE 'closed-%@invalid')
         ELSE (
           SELECT coalesce((SELECT c.old_email FROM email_change c
                             WHERE c.user_id = u.id AND c.confirmed_at > ${act}.at::timestamptz
                             ORDER BY c.confirmed_at LIMIT 1), u.email)
             FROM app_user u
            WHERE u.closed_at IS NULL
              AND u.id = CASE WHEN ${fact('userId')} IS NOT NULL THEN ${idIn(fact('userId'))}
                              WHEN ${ofSubject('user')} THEN ${subjectId}
                              WHEN ${ofSubject('staff')} THEN (SELECT s.user_id FROM staff s WHERE s.id = ${subjectId}) END)
    END`;
};
