import type { Deps } from '../../../deps.ts';
import { fail } from '../../../http/result.ts';
import { findDemoOwner, spendDemoToken } from '../../auth/mailbox/mail-tokens.ts';
import { findStaffByEmail, lockStaff } from '../people/staff.queries.ts';
import type { Exchange } from '../sessions/start-office-session.ts';
import { finishSignIn } from '../sign-in/finish-sign-in.ts';

/** Spends a demo link and signs its person in. */
export function openDemoLink(deps: Deps, { token, ...exchange }: Exchange & { token: string }) {
  return deps.db.transaction(async (tx) => {
    const email = await findDemoOwner(deps, tx, token);
    const found = email === undefined ? undefined : await findStaffByEmail(tx, email);
    const person = found && (await lockStaff(tx, found.id));
    if (!person || !(await spendDemoToken(deps, tx, token))) return fail('invalid-token');
    return finishSignIn(deps, tx, { ...exchange, person, method: 'demo' });
  });
}
