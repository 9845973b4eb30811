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
  const idemKey = readKey(request.headers['idempotency-key']);
  if (idemKey === null) return db.transaction(act);
  const name = { actorId: request.caller.id, idemKey };
  const requestHash = hashOf(request);
  return db.transaction(async (tx) => {
    // Waits for the same request where that is under way.
    if (await takeAnswerKey(tx, { ...name, requestHash })) {
      const answer = await act(tx);
      const isSecret = request.routeOptions.config.office?.secret ?? false;
      await keepAnswer(tx, { ...name, status: answer.status, body: isSecret ? null : (answer.body ?? null) });
      return answer;
    }
    const kept = await findAnswer(tx, name);
    if (!kept?.requestHash.equals(requestHash)) throw keyReused();
    if (request.routeOptions.config.office?.secret) throw doneAlready();
    return { status: kept.status, body: kept.body as Body };
  });
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
