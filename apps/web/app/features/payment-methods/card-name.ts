import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';

/** `Visa ending in 2224`: a saved card's name everywhere. */
export function cardName({ brand, maskedCard }: Pick<PaymentMethod, 'brand' | 'maskedCard'>): string {
  return `${brand} ending in ${maskedCard.slice(-4)}`;
}

/** `2030-12` → `12/2030`, the order in which people read it off the card. */
export function cardExpiry({ expires }: Pick<PaymentMethod, 'expires'>): string {
  const [year = '', month = ''] = expires?.split('-') ?? [];
  return expires === null ? '' : `${month}/${year}`;
}
