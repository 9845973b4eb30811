import type { RefundReason } from '../refunds.ts';

/** The reasons for a refund, in the words of the form and the lists. */
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
