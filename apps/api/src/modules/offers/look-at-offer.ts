import type { Offer } from '@brightpane/contract/customers/offers';
import type { Deps } from '../../deps.ts';
import { ok } from '../../http/result.ts';
import { mailTokenGuards } from '../auth/passwords/guessing-limits.ts';
import { limitMisses } from '../limits/limit-misses.ts';
import { findGoodOffer } from './find-good-offer.ts';

/** Shows an offer before anybody accepts it. */
export function lookAtOffer(deps: Deps, { token, ip }: { token: string; ip: string }) {
  return limitMisses(deps, { guards: mailTokenGuards(ip), isMiss: (outcome) => !outcome.ok }, async () => {
    const found = await findGoodOffer(deps, token);
    if (!found.ok) return found;
    const { franchiseName, workOrderNumber, addressLine1, city, expiresAt } = found.value;
    return ok<Offer>({ franchiseName, workOrderNumber, addressLine1, city, expiresAt });
  });
}
