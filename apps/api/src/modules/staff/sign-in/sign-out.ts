import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { endSessions, isSession } from '../sessions/sessions.queries.ts';

export async function signOutOfOffice({ db }: Pick<Deps, 'db'>, caller: OfficeCaller): Promise<void> {
  if (caller.kind !== 'staff') return;
  const { id: staffId, session } = caller;
  await db.transaction(async (tx) => {
    await endSessions(tx, { staffId, reason: 'signed-out', which: isSession(session.id) });
    await recordAct(tx, caller, { action: 'sign-out', subject: `staff ${staffId}` });
  });
}
