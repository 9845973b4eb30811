import type { RegisterWithOffer } from '@brightpane/contract/customers/offers';
import type { Deps } from '../../deps.ts';
import { mailTokenGuards } from '../auth/passwords/guessing-limits.ts';
import { registerUser } from '../auth/users/register-user.ts';
import { limitMisses } from '../limits/limit-misses.ts';
import { findGoodOffer } from './find-good-offer.ts';

/**
 * Registers an account. The location waits for the first sign-in with the password set here, which the owner of a
 * mistyped address doesn't know.
 */
export function registerWithOffer(deps: Deps, { token, ip, ...person }: RegisterWithOffer & { ip: string }) {
  return limitMisses(
    deps,
    {
      guards: mailTokenGuards(ip),
      isMiss: (outcome) => !outcome.ok && outcome.code === 'invalid-token',
    },
    async () => {
      const found = await findGoodOffer(deps, token);
      if (!found.ok) return found;
      const { intentId, locationId, zipKey } = found.value;
      return registerUser(deps, { ...person, ip, offer: { intentId, locationId, zipKey } });
    },
  );
}
