import { forgetUnreadable } from '../../crypto/unreadable-secrets.ts';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { deletePaymentMethod } from './payment-methods.queries.ts';

/**
 * Forgets a card. Its token is nowhere else, so it is unusable from this moment on; the provider is not asked and may
 * as well be down. A payment that already has the token ends by its own rules.
 */
export async function removePaymentMethod(deps: Deps, card: { userId: string; id: string }) {
  const isDeleted = await deletePaymentMethod(deps.db.query, card);
  if (isDeleted) await forgetUnreadable(deps.db.query, { table: 'payment_method', ids: [card.id] });
  return isDeleted ? ok(undefined) : fail('not-found');
}
