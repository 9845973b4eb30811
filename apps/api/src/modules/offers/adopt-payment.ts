import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import type { UserRow } from '../auth/users/users.queries.ts';
import { linkInside } from '../locations/link-inside.ts';
import { isAsShown } from './find-good-offer.ts';
import type { GivenOffer } from './offer-token.ts';
import { findOfferedPayment, insertAdoption } from './offers.queries.ts';

/**
 * Adopts a guest's payment and its location into an account, in the caller's transaction. Each payment is adopted once;
 * repeating it for the same account changes nothing.
 */
export async function adoptPayment(
  deps: Deps,
  tx: Queryable,
  {
    user,
    through,
    offer,
    mayBeOver,
  }: { user: UserRow; through: 'page' | 'signed-in'; offer: GivenOffer; mayBeOver: boolean },
) {
  const { intentId } = offer;
  const payment = await findOfferedPayment(tx, intentId);
  if (payment?.adoptedBy === user.id) return ok(undefined);
  if (!payment || (payment.isOver && !mayBeOver) || !isAsShown(payment, offer)) return fail('invalid-token');
  if (!(await insertAdoption(tx, { intentId, userId: user.id, through }))) {
    const adopted = await findOfferedPayment(tx, intentId);
    return adopted?.adoptedBy === user.id ? ok(undefined) : fail('invalid-token');
  }
  await linkInside(deps, tx, { user, invoice: payment });
  deps.log.info({ userId: user.id, intentId }, 'offer used');
  return ok(undefined);
}
