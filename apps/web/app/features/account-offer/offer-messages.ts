import type { Offer } from '@brightpane/contract/customers/offers';
import type { Problem } from '@brightpane/contract/problem';
import { type Refusal, withWaitAdvice } from '@brightpane/contract/wait-advice';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import type { Operation } from '../../lib/operation-names.ts';
import { reportError } from '../../lib/report-error.ts';
import { authFieldErrors, CHECK_YOUR_DETAILS, somethingWentWrong } from '../auth/auth-messages.ts';
import { written } from '../locations/location-name.ts';

/** `isOver`: the offer can't be used any more, so its form goes. */
export type OfferResult = ActionResult & { isOver?: boolean };

export const OFFER_IS_OVER: OfferResult = {
  success: false,
  message: 'This offer is not valid any more. You can add the location with the numbers on your invoice.',
  isOver: true,
};

/** In place of an offer that can't be loaded: whoever has just paid must not take it for their payment's outcome. */
export const offerUnknown = (problem: Refusal) =>
  withWaitAdvice('Your payment is made, but this could not be loaded.', problem);

/** Names the offered location by its street. */
export function placeOf({ addressLine1, city, workOrderNumber }: Offer): string {
  return written(addressLine1) || written(city) || `the location of work order ${workOrderNumber}`;
}

export const checkYourInbox = ({ email, place }: { email: string; place: string }) =>
  `Check your inbox. The link confirms ${email}; ${place} is in your account when you sign in.`;

export const isOver = (problem: Pick<Problem, 'errors'>) =>
  problem.errors.some(({ code }) => code === 'InvalidToken');

/** The form's outcome for a refused call. */
export function refused(operation: Operation, problem: Problem): OfferResult {
  if (isOver(problem)) return OFFER_IS_OVER;
  const fieldErrors = authFieldErrors(problem);
  if (Object.keys(fieldErrors).length > 0)
    return { success: false, message: CHECK_YOUR_DETAILS, fieldErrors };
  if (!isExpected(problem)) reportError(operation, problem);
  return { success: false, message: somethingWentWrong(problem) };
}
