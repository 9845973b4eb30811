export type PaymentWay = 'card' | 'office';

/** What a payment is called wherever a payer reads of it: in the history, on the document. */
export const PAYMENT_NAMES: Record<PaymentWay, string> = {
  card: 'Card',
  office: 'Paid to your office',
};
