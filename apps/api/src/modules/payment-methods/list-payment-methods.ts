import { openOrNull } from '../../crypto/secret-box.ts';
import type { Deps } from '../../deps.ts';
import { cardPlace } from './card-place.ts';
import { type PaymentMethodRow, selectPaymentMethods } from './payment-methods.queries.ts';

export type ListedCard = Omit<PaymentMethodRow, 'cardToken'> & {
  /** Whether its token can still be decrypted. */
  isReadable: boolean;
};

/** A user's saved cards, oldest first. */
export async function listPaymentMethods(deps: Deps, { userId }: { userId: string }): Promise<ListedCard[]> {
  const rows = await selectPaymentMethods(deps.db.query, userId);
  return rows.map(({ cardToken, ...card }) => ({
    ...card,
    isReadable: openOrNull(deps.secretBox, cardToken, cardPlace(card.id)) !== null,
  }));
}
