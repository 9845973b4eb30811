export type PaymentWay = 'card' | 'office' | 'refund' | 'tip-refund';

/** What a payment is called wherever a payer reads of it: in the history, on the document. */
export const PAYMENT_NAMES: Record<PaymentWay, string> = {
  card: 'Card',
  office: 'Paid to your office',
  refund: 'Refund',
  'tip-refund': 'Refund of tip',
};
