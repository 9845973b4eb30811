import { randomUUID } from 'node:crypto';
import type { Tokens } from '@brightpane/contract/authentication';
import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { ACCESS_TOKEN_SECONDS, issueAccessToken } from './access-tokens.ts';
import { refreshToken } from './refresh-tokens.ts';
import { endSessionsBeyond, insertSession } from './sessions.queries.ts';

const SESSION_DAYS = 30;
const SESSIONS_PER_USER = 10;

/** A new family of refresh tokens, in the caller's transaction; beyond ten the ones used longest ago end. */
export async function startSession(
  deps: Pick<Deps, 'env' | 'clock'>,
  tx: Queryable,
  { userId }: { userId: string },
): Promise<Tokens> {
  const now = deps.clock();
  const id = randomUUID();
  await insertSession(tx, {
    id,
    userId,
    rotatedAt: now,
    createdAt: now,
    expiresAt: new Date(now.getTime() + SESSION_DAYS * 86_400_000),
  });
  await endSessionsBeyond(tx, { userId, keep: SESSIONS_PER_USER, now });
  return sessionTokens(deps, { sessionId: id, generation: 1, userId });
}

export function sessionTokens(
  deps: Pick<Deps, 'env' | 'clock'>,
  { sessionId, generation, userId }: { sessionId: string; generation: number; userId: string },
): Tokens {
  return {
    accessToken: issueAccessToken(deps, { userId, sessionId }),
    refreshToken: refreshToken(deps, { sessionId, generation }),
    expiresIn: ACCESS_TOKEN_SECONDS,
  };
}
