import type { FastifyRequest } from 'fastify';
import { hashToken } from '../../crypto/hash-token.ts';
import type { Queryable } from '../../db/client.ts';
import { personNeeded, stepUpInvalid, stepUpRequired } from '../../http/office.problems.ts';
import { actOf, hashOfAct } from './act-hash.ts';
import { markStepUpUsed, STEP_UP_SECONDS } from './step-up.queries.ts';

/** How long a link that carries a second factor is valid. */
const LINK_SECONDS = 60;

/**
 * Requires a second factor confirmed for exactly this call, and spends it in the act's transaction. An API key needs
 * none, if keys may make the call at all.
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
    tokenHash: hashToken(token),
    sessionId: caller.session.id,
    actHash: hashOfAct(actOf(request)),
    secondsLeft: isLink ? STEP_UP_SECONDS - LINK_SECONDS : 0,
  });
  if (!isSpent) throw stepUpInvalid();
}

/** For settings that an API key may never change, through any call. */
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
