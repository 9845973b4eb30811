import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { insertNote, type NoteSubject } from './notes.queries.ts';

/** Adds a note to something that the caller sees, in the caller's transaction. */
export async function addNote(
  tx: Queryable,
  {
    by,
    named,
    ...note
  }: {
    by: OfficeCaller;
    franchiseId: number | null;
    subject: NoteSubject;
    subjectId: string;
    /** The subject in the audit: `invoice 11/1042`. */
    named: string;
    text: string;
  },
): Promise<string> {
  const noteId = await insertNote(tx, { caller: by, ...note });
  await recordAct(tx, by, {
    action: 'add-note',
    subject: named,
    ...(note.franchiseId !== null && { franchiseId: note.franchiseId }),
    detail: { noteId },
  });
  return noteId;
}
