import type { Offer } from '@brightpane/contract/customers/offers';
import type { Deps } from '../../deps.ts';
import { ok } from '../../http/result.ts';
import { limitWrongTokens } from '../auth/mailbox/limit-wrong-tokens.ts';
import { findGoodOffer } from './find-good-offer.ts';

/** Shows an offer before anybody accepts it. */
export function lookAtOffer(deps: Deps, { token, ip }: { token: string; ip: string }) {
  return limitWrongTokens(deps, { ip, find: () => findGoodOffer(deps, token) }, async (found) => {
    const { franchiseName, workOrderNumber, addressLine1, city, expiresAt } = found;
    return ok<Offer>({ franchiseName, workOrderNumber, addressLine1, city, expiresAt });
  });
}
