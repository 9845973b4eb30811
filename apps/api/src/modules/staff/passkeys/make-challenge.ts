import { randomBytes } from 'node:crypto';
import type { Deps } from '../../../deps.ts';
import { ok } from '../../../http/result.ts';
import { countWithin } from '../../limits/check-limits.ts';
import { challengeGuard } from '../staff-limits.ts';
import { type Bound, insertChallenge } from './challenges.queries.ts';

/** Random bytes for a passkey to sign, valid for five minutes and one purpose. */
export async function makeChallenge(deps: Deps, { ip, ...bound }: Bound & { ip: string }) {
  const allowed = await countWithin(deps, [challengeGuard(ip)]);
  if (!allowed.ok) return allowed;
  const challenge = randomBytes(32);
  await insertChallenge(deps.db.query, { ...bound, challenge });
  return ok(challenge);
}
