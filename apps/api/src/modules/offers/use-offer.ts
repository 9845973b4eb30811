import type { Deps } from '../../deps.ts';
import { fail } from '../../http/result.ts';
import { limitWrongTokens } from '../auth/mailbox/limit-wrong-tokens.ts';
import { lockUserById } from '../auth/users/users.queries.ts';
import { adoptPayment } from './adopt-payment.ts';
import { readOffer } from './offer-token.ts';

/** Adopts an offer's payment into the signed-in account. */
export function useOffer(deps: Deps, { token, userId, ip }: { token: string; userId: string; ip: string }) {
  return limitWrongTokens(
    deps,
    { ip, find: async () => readOffer(deps, token) ?? undefined },
    async (offer) => {
      return deps.db.transaction(async (tx) => {
        const user = await lockUserById(tx, userId);
        if (!user?.active) return fail('ended');
        return adoptPayment(deps, tx, { user, through: 'signed-in', offer, mayBeOver: false });
      });
    },
  );
}
