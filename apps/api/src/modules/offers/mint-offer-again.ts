import type { Deps } from '../../deps.ts';
import { mintOffer } from './offer-token.ts';
import { findOfferedPayment } from './offers.queries.ts';

/** The offer for a replayed payment, for the place that the guest proved then; null if it has expired. */
export async function mintOfferAgain(
  deps: Pick<Deps, 'db' | 'env'>,
  intentId: string,
): Promise<string | null> {
  const payment = await findOfferedPayment(deps.db.query, intentId);
  if (!payment?.isStanding || payment.isOver || payment.adoptedBy !== null || !payment.isPlaceShown)
    return null;
  const { locationId, zipKey } = payment;
  return zipKey === null ? null : mintOffer(deps, { intentId, locationId, zipKey });
}
