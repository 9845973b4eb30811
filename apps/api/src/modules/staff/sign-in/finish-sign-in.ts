import type { Me } from '@brightpane/contract/office/sessions';
import { type Act, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { isOwnersAddress, rememberOwnersAddress } from '../../auth/passwords/known-address.ts';
import type { StaffRow } from '../people/staff.queries.ts';
import { tellPerson } from '../people/tell-staff.ts';
import { readMe } from '../sessions/read-me.ts';
import type { Method, StaffState } from '../sessions/sessions.queries.ts';
import { type Exchange, startOfficeSession } from '../sessions/start-office-session.ts';

/** Starts the full session of a person who passed every step, in the caller's transaction. */
export async function finishSignIn(
  deps: Pick<Deps, 'env' | 'clock' | 'log'>,
  tx: Queryable,
  {
    person,
    method,
    states,
    act = { action: 'sign-in', detail: { method } },
    ...exchange
  }: Exchange & {
    person: StaffRow;
    method: Method;
    states?: StaffState[];
    /** The audit entry, if this is more than signing in. */
    act?: Omit<Act, 'subject'>;
  },
) {
  const { id: staffId, userId, email } = person;
  const session = await startOfficeSession(deps, tx, {
    ...exchange,
    staffId,
    level: 'full',
    method,
    ...(states && { states }),
  });
  if (!session) return fail('sign-in-expired');
  const { ip } = exchange.request;
  const isKnown = method === 'demo' || (await isOwnersAddress(deps, tx, { email, ip }));
  if (!isKnown && person.state === 'active') await tellPerson(tx, { email, news: 'new-network' });
  await rememberOwnersAddress(deps, tx, { userId, ip });
  await recordAct(tx, { id: staffId, name: email }, { ...act, subject: `staff ${staffId}` });
  deps.log.info({ staffId, method }, 'staff signed in');
  const me: Me = await readMe(tx, session.id);
  return ok({ me, sessionId: session.id });
}
