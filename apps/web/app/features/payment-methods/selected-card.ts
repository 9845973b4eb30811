import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';

export const canPay = ({ expired, addAgain }: Pick<PaymentMethod, 'expired' | 'addAgain'>) =>
  !expired && !addAgain;

/** The card to pay with: the selected one, else the only one. Cards that can't pay don't count. */
export function selectedCard(
  cards: readonly PaymentMethod[],
  selectedId: string | null,
): PaymentMethod | null {
  const [only, ...others] = cards;
  const card = cards.find(({ id }) => id === selectedId) ?? (others.length === 0 ? only : undefined);
  return card && canPay(card) ? card : null;
}
