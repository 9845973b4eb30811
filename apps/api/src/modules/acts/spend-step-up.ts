import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Queryable } from '../../db/client.ts';
import { personNeeded, stepUpInvalid, stepUpRequired } from '../../http/office.problems.ts';
import { actOf, hashOfAct } from './act-hash.ts';
import { markStepUpUsed, STEP_UP_SECONDS } from './step-up.queries.ts';

/** How long a link with a second factor in it is good. */
const LINK_SECONDS = 60;

/**
 * Asks for a second factor that was shown for this very call, in the transaction of what it does. A key goes without one
 * where its call may be made by keys.
 */
export async function spendStepUp(tx: Queryable, request: FastifyRequest): Promise<void> {
  const { caller } = request;
  if (caller.kind === 'key') {
    if (request.routeOptions.config.office?.keys === false) throw personNeeded();
    return;
  }
  const { token, isLink } = readToken(request);
  if (token === null) throw stepUpRequired();
  const isSpent = await markStepUpUsed(tx, {
    tokenHash: createHash('sha256').update(token).digest(),
    sessionId: caller.sessionId ?? '',
    actHash: hashOfAct(actOf(request)),
    secondsLeft: isLink ? STEP_UP_SECONDS - LINK_SECONDS : 0,
  });
  if (!isSpent) throw stepUpInvalid();
}

/** For what a key never sets, by whatever call. */
export async function spendPersonsStepUp(tx: Queryable, request: FastifyRequest): Promise<void> {
  if (request.caller.kind === 'key') throw personNeeded();
  await spendStepUp(tx, request);
}

function readToken({ method, headers, query }: FastifyRequest): { token: string | null; isLink: boolean } {
  const header = headers['x-step-up'];
  if (typeof header === 'string') return { token: header, isLink: false };
  const { stepUp } = query as { stepUp?: string };
  return { token: method === 'GET' ? (stepUp ?? null) : null, isLink: true };
}
