import type { Problem } from '@brightpane/contract/problem';
import { NO_ANSWER, type Refusal, withWait, withWaitAdvice } from '@brightpane/contract/wait-advice';
import { SOMETHING_WENT_WRONG } from '@brightpane/ui/words/something-went-wrong';

// Below the Pay button.
export const CHARGED_ONCE = 'Your card is charged once, for this amount.';
export const CORRECT_AMOUNTS = 'Correct the amounts above to pay.';

export type PaymentRefusal = Pick<Problem, 'status' | 'detail'> & Partial<Pick<Problem, 'errors'>> & Refusal;

/** What a signed-in customer reads when a payment is refused. */
export function portalPaymentMessage(problem: PaymentRefusal): string {
  const { status, detail } = problem;
  if (status === 404) return detail || 'Unable to pay invoices. Please try again.';
  return paymentMessage(problem);
}

/** Messages shared by guest and portal payments; each handles 404 itself. */
export function paymentMessage(problem: PaymentRefusal): string {
  const { status, detail, errors = [] } = problem;
  if (WITHOUT_OUR_ANSWER.includes(status)) return `${SOMETHING_WENT_WRONG} ${AFTER_A_LOST_ANSWER}`;
  if (status === 500 || detail === '') return withWaitAdvice(SOMETHING_WENT_WRONG, problem);
  if (status === 400 || tellsOfEarlier({ errors })) return detail;
  return withReason('Unable to complete payment', problem);
}

/** Whether the answer is about an earlier payment under the same key: what was added to it is not added again. */
export function tellsOfEarlier({ errors }: Pick<Problem, 'errors'>): boolean {
  return errors.some(({ code }) => ['PaidEarlier', 'CheckedEarlier'].includes(code));
}

/** Answers that already say what to do: press Pay again, or call the office. */
const SAYS_WHAT_TO_DO = ['NotCharged', 'Unconfirmed', 'AccountClosed'];

/** `Unable to pay: <why>`, and how long to wait if waiting is all there is to do. */
export function withReason(prefix: string, problem: PaymentRefusal): string {
  const sentence = `${prefix}: ${problem.detail}`;
  const isComplete = problem.errors?.some(({ code }) => SAYS_WHAT_TO_DO.includes(code)) ?? false;
  return isComplete ? sentence : withWait(sentence, problem);
}

/** None came, or a proxy answered in the portal's place: the payment may have been made. */
const WITHOUT_OUR_ANSWER = [NO_ANSWER, 502, 504];

const AFTER_A_LOST_ANSWER = 'Press Pay again to check; you will not be charged twice.';
