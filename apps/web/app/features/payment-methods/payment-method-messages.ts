import { NO_ANSWER, withWaitAdvice } from '@brightpane/contract/wait-advice';
import { SOMETHING_WENT_WRONG } from '@brightpane/ui/words/something-went-wrong';
import { type PaymentRefusal, withReason } from '../payments/payment-messages.ts';

/** Names the reason only if people can act on it. */
export function addPaymentMethodMessage(problem: PaymentRefusal): string {
  const { status, detail } = problem;
  const hasReason = status !== NO_ANSWER && status !== 500 && detail !== '';
  return hasReason
    ? withReason(PREFIX, problem)
    : withWaitAdvice(`${PREFIX}: ${SOMETHING_WENT_WRONG}`, problem);
}

const PREFIX = 'Unable to add payment method';

export const PAYMENT_METHOD_ADDED = 'Payment method added';
export const PAYMENT_METHOD_REMOVED = 'Payment method removed';
export const UNABLE_TO_REMOVE_PAYMENT_METHOD = 'Unable to remove payment method';
