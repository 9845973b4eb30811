import { randomUUID } from 'node:crypto';
import type { Tokens } from '@brightpane/contract/customers/authentication';
import type { Deps } from '../../../deps.ts';
import { ownersAddress } from '../passwords/known-address.ts';
import { ACCESS_TOKEN_SECONDS, issueAccessToken } from './access-tokens.ts';
import { refreshToken } from './refresh-tokens.ts';
import { insertSession } from './sessions.queries.ts';

const SESSIONS_PER_USER = 10;

/**
 * Starts a session and remembers its address as the owner's; beyond `SESSIONS_PER_USER`, the least recently used
 * sessions end. Null if the account changed since it was verified: its password, active or confirmed.
 */
export async function startSession(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'hostClock'>,
  { userId, passwordHash, device, ip }: { userId: string; passwordHash: string; device: string; ip: string },
): Promise<Tokens | null> {
  const id = randomUUID();
  const isStarted = await insertSession(deps.db.query, {
    id,
    userId,
    passwordHash,
    device,
    address: ownersAddress(deps, ip),
    now: deps.clock(),
    othersKept: SESSIONS_PER_USER - 1,
  });
  return isStarted ? sessionTokens(deps, { sessionId: id, generation: 1, userId }) : null;
}

export function sessionTokens(
  deps: Pick<Deps, 'env' | 'clock' | 'hostClock'>,
  { sessionId, generation, userId }: { sessionId: string; generation: number; userId: string },
): Tokens {
  return {
    accessToken: issueAccessToken(deps, { userId, sessionId }),
    refreshToken: refreshToken(deps, { sessionId, generation }),
    expiresIn: ACCESS_TOKEN_SECONDS,
  };
}
