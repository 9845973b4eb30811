import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../../../crypto/hash-token.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { describeDevice } from '../../auth/sessions/describe-device.ts';
import { setCookie } from './cookies.ts';
import { insertSession, type Level, type Method, type StaffState } from './sessions.queries.ts';

/** The call for which a session is started, and the answer that carries its cookie. */
export type Exchange = { request: FastifyRequest; reply: FastifyReply };

/**
 * Advances to a level of signing in, in the caller's transaction, with a new cookie value: any value known before
 * becomes worthless. Null if the person may no longer sign in.
 */
export async function startOfficeSession(
  { env }: Pick<Deps, 'env'>,
  tx: Queryable,
  {
    request,
    reply,
    staffId,
    level,
    method,
    passwordHash = null,
    states = ['active'],
    from = goingOnFrom(request),
  }: Exchange & {
    staffId: string;
    level: Level;
    method: Method;
    passwordHash?: string | null;
    states?: StaffState[];
    from?: string | null;
  },
): Promise<{ id: string } | null> {
  const token = randomBytes(32).toString('base64url');
  const session = await insertSession(tx, {
    tokenHash: hashToken(token),
    staffId,
    level,
    method,
    device: describeDevice(request.headers['user-agent'], 'Another program'),
    from,
    passwordHash,
    states,
  });
  if (!session) return null;
  setCookie(env, reply, token);
  return session;
}

/** A new value for a continuing session; sets its cookie on the answer. */
export function freshToken({ env }: Pick<Deps, 'env'>, reply: FastifyReply): { hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  setCookie(env, reply, token);
  return { hash: hashToken(token) };
}

/** The session of the level below, which the new one replaces. */
function goingOnFrom({ caller }: FastifyRequest): string | null {
  if (caller?.kind !== 'staff') return null;
  const { id, level } = caller.session;
  return level === 'password' || level === 'enrol' ? id : null;
}
