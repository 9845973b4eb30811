import { randomBytes } from 'node:crypto';
import type { Deps } from '../../../deps.ts';
import { ok } from '../../../http/result.ts';
import { checkLimits, countAgainst } from '../../limits/check-limits.ts';
import { challengeGuard } from '../staff-limits.ts';
import { type Bound, insertChallenge } from './challenges.queries.ts';

/** Random bytes for a passkey to sign, valid for five minutes and one purpose. */
export async function makeChallenge(deps: Deps, { ip, ...bound }: Bound & { ip: string }) {
  const guards = [challengeGuard(ip)];
  const allowed = await checkLimits(deps, guards);
  if (!allowed.ok) return allowed;
  await countAgainst(deps, guards);
  const challenge = randomBytes(32);
  await insertChallenge(deps.db.query, { ...bound, challenge });
  return ok(challenge);
}
