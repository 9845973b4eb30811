import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { setNames } from '../../auth/users/users.queries.ts';
import { setPasswordByLink } from '../account/set-password-by-link.ts';
import { listFactors } from '../factors/factors.queries.ts';
import { type Exchange, startOfficeSession } from '../sessions/start-office-session.ts';
import { tellPerson } from './tell-staff.ts';

/**
 * Sets the name and password of whoever has the link. Confirming the first factor spends the link, so a person who
 * stops half-way can open it again.
 */
export function welcomeStaff(
  deps: Deps,
  {
    email,
    token,
    firstName,
    lastName,
    password,
    ...exchange
  }: Exchange & { email: string; token: string; firstName: string; lastName: string; password: string },
) {
  const link = { purpose: 'staff', email, token, password, ip: exchange.request.ip } as const;
  return setPasswordByLink(deps, link, async (tx, { person, by, setPassword }) => {
    if (person.heldAt !== null) return fail('access-held');
    if ((await listFactors(tx, person.id)).length > 0) return fail('invalid-token');
    await setNames(tx, { userId: person.userId, firstName, lastName });
    await setPassword();
    // Who is enrolling again after a reset of factors may not be the one who reads this mailbox.
    if (person.state === 'active') await tellPerson(tx, { email: person.email, news: 'password-changed' });
    await startOfficeSession(deps, tx, {
      ...exchange,
      staffId: person.id,
      level: 'enrol',
      method: 'welcome',
      states: ['invited', 'active'],
      from: null,
    });
    await recordAct(tx, by, { action: 'open-invitation', subject: `staff ${person.id}` });
    return ok(undefined);
  });
}
