import type { FactorAdded } from '@brightpane/contract/office/sessions';
import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { personOf } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { spendMailTokens } from '../../auth/mailbox/mail-tokens.ts';
import { confirmStaffEmail, lockStaff, updateStaff } from '../people/staff.queries.ts';
import { tellPerson } from '../people/tell-staff.ts';
import { endSessions, isOtherSession } from '../sessions/sessions.queries.ts';
import type { Exchange } from '../sessions/start-office-session.ts';
import { finishSignIn } from '../sign-in/finish-sign-in.ts';
import type { FactorRow } from './factors.queries.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';

/**
 * Completes a new factor in its transaction. The first factor ends the enrolment: spends the link, makes recovery
 * codes and signs the person in.
 */
export async function factorAdded(
  deps: Deps,
  tx: Queryable,
  {
    factorId,
    name,
    factors,
    method,
    replaced,
    ...exchange
  }: Exchange & {
    factorId: string;
    name: string;
    factors: FactorRow[];
    method: 'totp' | 'passkey';
    /** The factor whose place it takes. */
    replaced?: FactorRow | undefined;
  },
) {
  const caller = personOf(exchange.request.caller);
  const person = await lockStaff(tx, caller.id);
  if (!person) return fail('sign-in-expired');
  const after = { kind: method, name };
  if (caller.session.level === 'full') {
    const before = replaced && { kind: replaced.kind, name: replaced.name };
    await recordAct(tx, caller, {
      action: 'add-factor',
      subject: `staff ${caller.id}`,
      after,
      ...(before && { before }),
    });
    await tellPerson(tx, { email: person.email, news: 'factor-added' });
    return ok<FactorAdded>({ factorId });
  }
  // Another window was faster: whoever enrols has no factor yet.
  if (factors.length > 0) return fail('sign-in-expired');
  await spendMailTokens(deps, tx, { purpose: 'staff', email: person.email });
  await confirmStaffEmail(tx, person.userId);
  await updateStaff(tx, { id: person.id, state: 'active' });
  if (person.state === 'active') await tellPerson(tx, { email: person.email, news: 'factor-added' });
  await endSessions(tx, {
    staffId: person.id,
    reason: 'enrolled',
    which: isOtherSession(caller.session.id),
  });
  const recoveryCodes = await makeRecoveryCodes(tx, person.id);
  const signedIn = await finishSignIn(deps, tx, {
    ...exchange,
    person,
    method,
    act: { action: 'enrol', after },
  });
  return signedIn.ok ? ok<FactorAdded>({ recoveryCodes, me: signedIn.value.me }) : signedIn;
}
