import type { FastifyRequest } from 'fastify';
import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { lockStaff } from '../people/staff.queries.ts';
import { tellPerson } from '../people/tell-staff.ts';
import { hashStaffPassword, judgeStaffPassword } from './choose-password.ts';
import { setStaffPassword } from './set-staff-password.ts';

/** Changes one's own password and signs out everywhere, including here. */
export async function changePassword(
  deps: Deps,
  request: FastifyRequest,
  { password }: { password: string },
) {
  const { caller } = request;
  const judged = await judgeStaffPassword(password, { email: caller.name });
  if (!judged.ok) return judged;
  const hashed = await hashStaffPassword(password);
  if (!hashed.ok) return hashed;
  return allOrNothing(deps.db, async (tx) => {
    const person = await lockStaff(tx, caller.id);
    if (!person) return fail('ended');
    await spendStepUp(tx, request);
    await setStaffPassword(deps, tx, { person, passwordHash: hashed.value });
    await tellPerson(tx, { email: person.email, news: 'password-changed' });
    await recordAct(tx, caller, { action: 'change-password', subject: `staff ${person.id}` });
    return ok(undefined);
  });
}
