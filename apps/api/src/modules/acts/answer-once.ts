import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { hashOfRequest, isUsableKey } from '../../http/idempotency-key.ts';
import { doneAlready, invalidIdempotencyKey, keyReused } from '../../http/office.problems.ts';
import { findAnswer, keepAnswer, takeAnswerKey } from './answers.queries.ts';

export type Answer<Body> = { status: number; body: Body };

/**
 * Runs an act in one transaction, once per `Idempotency-Key`: repeating the request replays the first answer, a
 * different request is refused. Secrets aren't stored, so their answers can't be replayed. A refused act leaves the key
 * unused, e.g. to retry with a second factor.
 */
export async function answerOnce<Body>(
  deps: Pick<Deps, 'db'>,
  request: FastifyRequest,
  reply: FastifyReply,
  act: (tx: Queryable) => Promise<Answer<Body>>,
): Promise<Body> {
  const { status, body } = await answered(deps, request, act);
  reply.code(status);
  return body;
}

function answered<Body>(
  { db }: Pick<Deps, 'db'>,
  request: FastifyRequest,
  act: (tx: Queryable) => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  const name = nameOf(request);
  if (name === null) return db.transaction(act);
  return db.transaction(async (tx) => {
    const kept = await takeKey(tx, request, name);
    if (kept) return { status: kept.status, body: kept.body as Body };
    const answer = await act(tx);
    const isSecret = request.routeOptions.config.office?.secret ?? false;
    await keepAnswer(tx, { ...name, status: answer.status, body: isSecret ? null : (answer.body ?? null) });
    return answer;
  });
}

/**
 * For acts that show a secret and begin their own transaction; call it first there. Refuses what was already done
 * under this `Idempotency-Key`.
 */
export async function refuseRepeat(tx: Queryable, request: FastifyRequest): Promise<void> {
  const name = nameOf(request);
  if (name === null) return;
  await takeKey(tx, request, name);
  await keepAnswer(tx, { ...name, status: 200, body: null });
}

type Name = { actorId: string; idemKey: string };

function nameOf({ headers, caller }: FastifyRequest): Name | null {
  const idemKey = readKey(headers['idempotency-key']);
  return idemKey === null ? null : { actorId: caller.id, idemKey };
}

/** Returns the answer stored under the key, or takes the key if it is free. */
async function takeKey(tx: Queryable, request: FastifyRequest, name: Name) {
  const requestHash = hashOfRequest(request);
  // Waits if the same request is in progress.
  if (await takeAnswerKey(tx, { ...name, requestHash })) return undefined;
  const kept = await findAnswer(tx, name);
  if (!kept?.requestHash.equals(requestHash)) throw keyReused();
  if (request.routeOptions.config.office?.secret) throw doneAlready();
  return kept;
}

function readKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (!isUsableKey(header)) throw invalidIdempotencyKey();
  return header;
}
