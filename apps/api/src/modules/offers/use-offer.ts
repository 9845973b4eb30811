import type { Deps } from '../../deps.ts';
import { fail } from '../../http/result.ts';
import { mailTokenGuards } from '../auth/passwords/guessing-limits.ts';
import { lockUserById } from '../auth/users/users.queries.ts';
import { limitMisses } from '../limits/limit-misses.ts';
import { adoptPayment } from './adopt-payment.ts';
import { readOffer } from './offer-token.ts';

/** Adopts an offer's payment into the signed-in account. */
export function useOffer(deps: Deps, { token, userId, ip }: { token: string; userId: string; ip: string }) {
  return limitMisses(
    deps,
    {
      guards: mailTokenGuards(ip),
      isMiss: (outcome) => !outcome.ok && outcome.code === 'invalid-token',
    },
    async () => {
      const offer = readOffer(deps, token);
      if (!offer) return fail('invalid-token');
      return deps.db.transaction(async (tx) => {
        const user = await lockUserById(tx, userId);
        if (!user?.active) return fail('ended');
        return adoptPayment(deps, tx, { user, through: 'signed-in', offer, mayBeOver: false });
      });
    },
  );
}
