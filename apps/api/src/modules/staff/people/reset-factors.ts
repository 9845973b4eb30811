import type { FastifyRequest } from 'fastify';
import { ofOffices, recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { removeFactors, removeRecoveryCodes } from '../factors/factors.queries.ts';
import { endSessions } from '../sessions/sessions.queries.ts';
import { holdChangeable } from './hold-changeable.ts';
import { tellAdmins, tellPerson } from './tell-staff.ts';

/**
 * Removes the factors of somebody who lost them all. They then sign in with the password and get a link to enrol again.
 */
export function resetFactors({ db }: Pick<Deps, 'db'>, request: FastifyRequest, given: { staffId: string }) {
  const { caller } = request;
  return allOrNothing(db, async (tx) => {
    const held = await holdChangeable(tx, { caller, ...given });
    if (!held.ok) return held;
    const { person, franchiseIds } = held.value;
    await spendStepUp(tx, request);
    if (person.id === caller.id) return fail('not-yourself');
    const removed = await removeFactors(tx, { staffId: person.id });
    await removeRecoveryCodes(tx, person.id);
    await endSessions(tx, { staffId: person.id, reason: 'factors-reset' });
    await tellPerson(tx, { email: person.email, news: 'factors-reset' });
    await tellAdmins(tx, { email: person.email, news: 'factors-reset', but: [person.email] });
    await recordAct(tx, caller, {
      action: 'reset-factors',
      subject: `staff ${person.id}`,
      ...ofOffices(franchiseIds),
      before: { factors: removed.map(({ kind, name }) => ({ kind, name })) },
    });
    return ok(undefined);
  });
}
