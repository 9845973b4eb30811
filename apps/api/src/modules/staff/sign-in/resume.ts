import type { Deps } from '../../../deps.ts';
import { personOf } from '../../../http/office-caller.ts';
import { fail } from '../../../http/result.ts';
import { findStaff } from '../people/staff.queries.ts';
import type { Exchange } from '../sessions/start-office-session.ts';
import { checkSessionCode } from '../step-up/check-session-code.ts';
import { resumeSession } from './resume-session.ts';

/** Resumes an idle session with an app's code. */
export async function resumeWithCode(deps: Deps, { code, ...exchange }: Exchange & { code: string }) {
  const caller = personOf(exchange.request.caller);
  return checkSessionCode(deps, { caller, code }, async (tx) => {
    const person = await findStaff(tx, caller.id);
    return person ? resumeSession(deps, tx, { ...exchange, person }) : fail('sign-in-expired');
  });
}
