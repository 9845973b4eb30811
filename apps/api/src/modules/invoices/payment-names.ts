export type PaymentWay = 'card' | 'office' | 'refund' | 'tip-refund';

/** What payers see a payment called, in the history and on documents. */
export const PAYMENT_NAMES: Record<PaymentWay, string> = {
  card: 'Card',
  office: 'Paid to your office',
  refund: 'Refund',
  'tip-refund': 'Refund of tip',
};
