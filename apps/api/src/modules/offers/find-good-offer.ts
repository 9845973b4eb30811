import type { Deps } from '../../deps.ts';
import { type GivenOffer, readOffer } from './offer-token.ts';
import { findOfferedPayment, type OfferedPayment } from './offers.queries.ts';

/** The payment that a token offers to adopt, if that is still possible. */
export async function findGoodOffer(deps: Pick<Deps, 'db' | 'env'>, token: string) {
  const offer = readOffer(deps, token);
  const payment = offer && (await findOfferedPayment(deps.db.query, offer.intentId));
  const isGood = payment && !payment.isOver && payment.adoptedBy === null && isAsShown(payment, offer);
  return isGood && payment.zipKey !== null ? { ...payment, zipKey: payment.zipKey } : undefined;
}

/**
 * Whether the payment still stands, and its place is the one that the guest proved: an import may move an
 * invoice or correct a zip code.
 */
export function isAsShown(
  payment: OfferedPayment,
  { locationId, isOfZip }: Omit<GivenOffer, 'intentId'>,
): boolean {
  return payment.isStanding && payment.locationId === locationId && isOfZip(payment.zipKey);
}
