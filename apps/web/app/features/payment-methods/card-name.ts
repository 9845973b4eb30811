import type { PaymentMethod } from '@brightpane/contract/customers/payment-methods';

/** `Visa ending in 2224`: how a saved card is called wherever it is named. */
export function cardName({ brand, maskedCard }: Pick<PaymentMethod, 'brand' | 'maskedCard'>): string {
  return `${brand} ending in ${maskedCard.slice(-4)}`;
}

/** `2030-12` → `12/2030`, as it is printed on the card. */
export function cardExpiry({ expires }: Pick<PaymentMethod, 'expires'>): string {
  const [year = '', month = ''] = expires?.split('-') ?? [];
  return expires === null ? '' : `${month}/${year}`;
}
