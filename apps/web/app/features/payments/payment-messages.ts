import type { Problem } from '@brightpane/contract/problem';
import { NO_ANSWER } from '../../lib/send-request.ts';

export type PaymentRefusal = Pick<Problem, 'status' | 'detail'> & Partial<Pick<Problem, 'errors'>>;

/** What a signed-in customer reads when a payment is refused. */
export function portalPaymentMessage(refusal: PaymentRefusal): string {
  const { status, detail } = refusal;
  if (status === 404) return detail || 'Unable to pay invoices. Please try again.';
  return paymentMessage(refusal);
}

/** What guest and portal payments have in common; a 404 is each one's own. */
export function paymentMessage({ status, detail, errors = [] }: PaymentRefusal): string {
  if (status === NO_ANSWER) return `${SOMETHING_WENT_WRONG} ${AFTER_A_LOST_ANSWER}`;
  if (status === 500 || detail === '') return SOMETHING_WENT_WRONG;
  if (status === 400 || errors.some(({ code }) => code === 'PaidEarlier')) return detail;
  return `Unable to complete payment: ${detail}`;
}

const SOMETHING_WENT_WRONG = 'Something went wrong. Please try again.';
const AFTER_A_LOST_ANSWER = 'Press Pay again to check; you will not be charged twice.';
