import type { OfficeNote } from '@brightpane/contract/office/payments';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { instantText, query } from '../../../db/query.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { actorName } from '../../acts/actor-names.queries.ts';

export type NoteSubject = 'payment' | 'invoice' | 'customer';

type About = { subject: NoteSubject; subjectId: string };

/** Returns the note's id. Notes are never changed or removed. */
export async function insertNote(
  tx: Queryable,
  {
    caller,
    franchiseId,
    subject,
    subjectId,
    text,
  }: About & { caller: Pick<OfficeCaller, 'kind' | 'id'>; franchiseId: number | null; text: string },
): Promise<string> {
  const rows = await query<{ id: string }>(tx)`
    INSERT INTO office_note (franchise_id, subject, subject_id, staff_id, api_key_id, text)
    VALUES (${franchiseId}, ${subject}, ${subjectId}, ${caller.kind === 'staff' ? caller.id : null}::uuid,
            ${caller.kind === 'key' ? caller.id : null}::uuid, ${text})
    RETURNING id`;
  const [made] = rows;
  if (!made) throw new Error('the note was not written');
  return made.id;
}

/** The notes that a caller may read, newest first. */
export async function selectNotes(
  db: Queryable,
  { actorId, subject, subjectId }: About & { actorId: string },
): Promise<OfficeNote[]> {
  return query<OfficeNote>(db)`
    SELECT n.id AS "noteId", ${instantText(sql`n.at`)} AS at,
           ${actorName(sql`coalesce(n.staff_id, n.api_key_id)`)} AS by, n.text
      FROM office_note n
     WHERE n.subject = ${subject} AND n.subject_id = ${subjectId}
       AND CASE WHEN n.franchise_id IS NOT NULL
           THEN EXISTS (SELECT FROM visible_franchise v WHERE v.franchise_id = n.franchise_id AND v.actor_id = ${actorId})
           ELSE EXISTS (SELECT FROM payment_share s
                          JOIN visible_franchise v ON v.franchise_id = s.franchise_id AND v.actor_id = ${actorId}
                         WHERE s.intent_id = n.subject_id::uuid) END
     ORDER BY n.at DESC, n.id`;
}
