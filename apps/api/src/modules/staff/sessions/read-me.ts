import type { Me } from '@brightpane/contract/office/sessions';
import { RIGHTS_OF } from '@brightpane/contract/office-rights';
import type { Queryable } from '../../../db/client.ts';
import { findMe } from './me.queries.ts';

/** The signed-in person, their rights and their franchises. */
export async function readMe(db: Queryable, sessionId: string): Promise<Me> {
  const me = await findMe(db, sessionId);
  if (!me) throw new Error('a session of nobody');
  return { ...me, endsAt: new Date(me.endsAt).toISOString(), rights: [...RIGHTS_OF[me.role]] };
}
