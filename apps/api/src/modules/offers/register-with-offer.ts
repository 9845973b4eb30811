import type { RegisterWithOffer } from '@brightpane/contract/customers/offers';
import type { Deps } from '../../deps.ts';
import { limitWrongTokens } from '../auth/mailbox/limit-wrong-tokens.ts';
import { registerUser } from '../auth/users/register-user.ts';
import { findGoodOffer } from './find-good-offer.ts';

/**
 * Registers an account. The location waits for the first sign-in with the password set here, which the owner of a
 * mistyped address doesn't know.
 */
export function registerWithOffer(deps: Deps, { token, ip, ...person }: RegisterWithOffer & { ip: string }) {
  return limitWrongTokens(
    deps,
    { ip, find: () => findGoodOffer(deps, token) },
    ({ intentId, locationId, zipKey }) =>
      registerUser(deps, { ...person, ip, offer: { intentId, locationId, zipKey } }),
  );
}
