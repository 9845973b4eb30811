import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { personOf } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import type { StaffRow } from '../people/staff.queries.ts';
import { readMe } from '../sessions/read-me.ts';
import { renewSession } from '../sessions/sessions.queries.ts';
import { type Exchange, freshToken } from '../sessions/start-office-session.ts';

/** Continues the session with a new cookie value and its original end. */
export async function resumeSession(
  deps: Pick<Deps, 'env'>,
  tx: Queryable,
  { person, request, reply }: Exchange & { person: StaffRow },
) {
  const caller = personOf(request.caller);
  const { id: sessionId } = caller.session;
  const token = freshToken(deps, reply);
  const isRenewed = await renewSession(tx, { id: sessionId, tokenHash: token.hash });
  if (!isRenewed) return fail('sign-in-expired');
  await recordAct(tx, caller, { action: 'resume', subject: `staff ${person.id}` });
  return ok({ me: await readMe(tx, sessionId), sessionId });
}
