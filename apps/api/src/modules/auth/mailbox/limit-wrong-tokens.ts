import type { Deps } from '../../../deps.ts';
import { type Failure, fail, type Success } from '../../../http/result.ts';
import { limitMisses } from '../../limits/limit-misses.ts';
import { mailTokenGuards } from '../passwords/guessing-limits.ts';

/**
 * Finds what a link's token is for and uses it; limits only tokens for which nothing is found. A good one works whatever
 * its address has counted, or anybody behind a shared address could block everybody's links there.
 */
export function limitWrongTokens<Found, Outcome extends Success<unknown> | Failure<string>>(
  deps: Deps,
  { ip, find }: { ip: string; find: () => Promise<Found | undefined> },
  use: (found: Found) => Promise<Outcome>,
) {
  return limitMisses<Outcome | Failure<'invalid-token'>>(
    deps,
    {
      guards: mailTokenGuards(ip),
      isMiss: (outcome) => !outcome.ok && outcome.code === 'invalid-token',
      hit: async () => {
        const found = await find();
        return found === undefined ? undefined : use(found);
      },
    },
    async () => fail('invalid-token'),
  );
}
