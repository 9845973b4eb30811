import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';

export const canPay = ({ expired, addAgain }: Pick<PaymentMethod, 'expired' | 'addAgain'>) =>
  !expired && !addAgain;

/**
 * The card that a payment is made with: the one that was selected, else the only one there is. A card that cannot pay
 * is neither.
 */
export function selectedCard(
  cards: readonly PaymentMethod[],
  selectedId: string | null,
): PaymentMethod | null {
  const [only, ...others] = cards;
  const card = cards.find(({ id }) => id === selectedId) ?? (others.length === 0 ? only : undefined);
  return card && canPay(card) ? card : null;
}
