import type { FastifyRequest } from 'fastify';
import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { tellPerson } from '../people/tell-staff.ts';
import { lockFactors, removeFactors } from './factors.queries.ts';

/** Removes one of a person's own factors, but never the last. */
export function removeFactor(
  { db }: Pick<Deps, 'db'>,
  request: FastifyRequest,
  { factorId }: { factorId: string },
) {
  const { caller } = request;
  return allOrNothing(db, async (tx) => {
    const factors = await lockFactors(tx, caller.id);
    const factor = factors.find(({ id }) => id === factorId);
    if (!factor) return fail('not-found');
    await spendStepUp(tx, request);
    if (factors.length === 1) return fail('last-factor');
    await removeFactors(tx, { staffId: caller.id, factorId });
    await tellPerson(tx, { email: caller.name, news: 'factor-removed' });
    await recordAct(tx, caller, {
      action: 'remove-factor',
      subject: `staff ${caller.id}`,
      before: { kind: factor.kind, name: factor.name },
    });
    return ok(undefined);
  });
}
