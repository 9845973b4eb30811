import type { Problem } from '@brightpane/contract/problem';
import { mayBeDone } from '@brightpane/contract/wait-advice';
import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import type { Operation } from '../../lib/operation-names.ts';
import { reportError } from '../../lib/report-error.ts';
import { CHECK_YOUR_DETAILS, somethingWentWrong } from '../auth/auth-messages.ts';

export const done = (message: string): ActionResult => ({ success: true, message });

/** Codes whose message stands above the form: it belongs to no field, or the form may go when the page loads again. */
const SAID_ABOVE = new Set([
  'PaymentInProgress',
  'InvalidToken',
  'EmailTaken',
  'EmailUnchanged',
  'EmailChangedLately',
  'DownloadUnderWay',
  'DownloadsBusy',
]);

/** What follows, to a person who can't tell, if the call was carried out without an answer. */
const IF_DONE: Partial<Record<Operation, string>> = {
  changePassword: 'Your password may have been changed: if the current one is refused, enter the new one.',
  closeAccount: 'Your account may be closed already: then you can no longer sign in.',
};

/** The form's outcome for a refused call. */
export function refused(operation: Operation, problem: Problem): ActionResult {
  const [first] = problem.errors;
  if (!isExpected(problem) && problem.status !== 409) reportError(operation, problem);
  if (first && SAID_ABOVE.has(first.code)) return { success: false, message: first.description };
  const atFields = fieldErrors(problem);
  if (Object.keys(atFields).length > 0)
    return { success: false, message: CHECK_YOUR_DETAILS, fieldErrors: atFields };
  // Who is asked to wait was turned away, almost always before anything was done.
  const ifDone = problem.status !== 503 && mayBeDone(problem) ? IF_DONE[operation] : undefined;
  return { success: false, message: [somethingWentWrong(problem), ifDone].filter(Boolean).join(' ') };
}
