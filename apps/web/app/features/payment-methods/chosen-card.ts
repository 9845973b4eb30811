import type { PaymentMethod } from '@brightpane/contract/payment-methods';

/**
 * The card that a payment is made with: the one that was chosen, else the only one there is. An expired card is
 * neither.
 */
export function chosenCard(cards: readonly PaymentMethod[], chosenId: string | null): PaymentMethod | null {
  const [only, ...others] = cards;
  const card = cards.find(({ id }) => id === chosenId) ?? (others.length === 0 ? only : undefined);
  return card && !card.expired ? card : null;
}
