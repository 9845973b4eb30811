import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { readEnd } from './challenge-token.ts';
import { type Bound, insertSpentChallenge } from './challenges.queries.ts';

/** Spends a challenge. False if it isn't valid for this, or was used. */
export async function spendChallenge(
  deps: Pick<Deps, 'env' | 'clock'>,
  tx: Queryable,
  { challenge, ...bound }: Bound & { challenge: Buffer },
): Promise<boolean> {
  const expiresAt = readEnd(deps, challenge, bound);
  return expiresAt !== null && insertSpentChallenge(tx, { ...bound, challenge, expiresAt });
}
