import type { Problem } from '@brightpane/contract/problem';
import { NO_ANSWER } from '../../lib/send-request.ts';

/** Names the reason only where the server gave one that people can act on. */
export function addPaymentMethodMessage({ status, detail }: Pick<Problem, 'status' | 'detail'>): string {
  const reason = status === NO_ANSWER || status === 500 || detail === '' ? NO_REASON : detail;
  return `Unable to add payment method: ${reason}`;
}

const NO_REASON = 'Something went wrong. Please try again.';

export const PAYMENT_METHOD_ADDED = 'Payment method added';
export const PAYMENT_METHOD_REMOVED = 'Payment method removed';
export const UNABLE_TO_REMOVE_PAYMENT_METHOD = 'Unable to remove payment method';
