import { forgetUnreadable } from '../../crypto/unreadable-secrets.ts';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { deletePaymentMethod } from './payment-methods.queries.ts';

/**
 * Deletes a card. Its token is stored nowhere else, so the card is unusable at once, without asking the provider. A
 * payment that already has the token ends by its own rules.
 */
export async function removePaymentMethod(deps: Deps, card: { userId: string; id: string }) {
  const isDeleted = await deletePaymentMethod(deps.db.query, card);
  if (isDeleted) await forgetUnreadable(deps.db.query, { table: 'payment_method', ids: [card.id] });
  return isDeleted ? ok(undefined) : fail('not-found');
}
