import type { RefundReason } from './refunds.ts';

/** Why money goes back, as it is chosen and read. */
export const REFUND_REASON_WORDS: Record<RefundReason, string> = {
  overpaid: 'Overpaid',
  'wrong-amount': 'Wrong amount',
  'work-not-done': 'Work not done',
  complaint: 'Complaint',
  'paid-twice': 'Paid twice',
  'tip-mistake': 'Tip mistake',
  fraud: 'Fraud',
  other: 'Other',
};
