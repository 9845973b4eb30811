import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { doneAlready, invalidIdempotencyKey, keyReused } from '../../http/office.problems.ts';
import { findAnswer, keepAnswer, takeAnswerKey } from './answers.queries.ts';

export type Answer<Body> = { status: number; body: Body };

/**
 * Does what a call asks for in one transaction, once for each `Idempotency-Key`: the same request again gets the answer
 * of the first, another one is refused. A secret is not kept, so its answer cannot be given again. A refusal did
 * nothing and leaves nothing: its key is still good, as after a second factor.
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
 * The same for an act that shows a secret and begins its own transaction, in which this stands first: what was done
 * under this `Idempotency-Key` is refused.
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

/** What was answered under the key before, or nothing where it is free and taken now. */
async function takeKey(tx: Queryable, request: FastifyRequest, name: Name) {
  const requestHash = hashOf(request);
  // Waits for the same request where that is under way.
  if (await takeAnswerKey(tx, { ...name, requestHash })) return undefined;
  const kept = await findAnswer(tx, name);
  if (!kept?.requestHash.equals(requestHash)) throw keyReused();
  if (request.routeOptions.config.office?.secret) throw doneAlready();
  return kept;
}

function readKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header)) throw invalidIdempotencyKey();
  return header;
}

function hashOf({ method, url, bodyBytes }: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(bodyBytes ?? '')
    .digest();
}
