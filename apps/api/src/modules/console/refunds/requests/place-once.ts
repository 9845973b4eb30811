import type { FastifyRequest } from 'fastify';
import type { Queryable } from '../../../../db/client.ts';
import { databaseTrouble } from '../../../../db/database-trouble.ts';
import type { Deps } from '../../../../deps.ts';
import type { Success } from '../../../../http/result.ts';
import { spendPersonsStepUp } from '../../../acts/spend-step-up.ts';
import { readRefundKey } from '../read-refund-key.ts';
import { refundProblem } from '../refunds.problems.ts';
import type { AgainRefusal } from '../send-refund-again.ts';
import type { AskedBy, Placed } from './request-refund.ts';

/**
 * Places what a call asks for, in one commit. If the database doesn't answer, it may have been placed; sending the same
 * key again returns it, so nothing is refunded twice.
 */
export async function placeOnce(
  { db }: Pick<Deps, 'db'>,
  request: FastifyRequest,
  ask: (tx: Queryable, by: AskedBy) => Promise<Success<Placed> | AgainRefusal>,
): Promise<Placed> {
  const by = { caller: request.caller, ...readRefundKey(request) };
  try {
    return await db.transaction(async (tx) => {
      const asked = await ask(tx, { ...by, confirm: () => spendPersonsStepUp(tx, request) });
      if (!asked.ok) throw refundProblem(asked);
      return asked.value;
    });
  } catch (error) {
    const trouble = databaseTrouble(error);
    if (trouble === null) throw error;
    throw refundProblem({ code: trouble === 'locked' ? 'crowded' : 'unconfirmed' });
  }
}
