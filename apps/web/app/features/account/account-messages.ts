import type { Problem } from '@brightpane/contract/problem';
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

/** The form's outcome for a refused call. */
export function refused(operation: Operation, problem: Problem): ActionResult {
  const [first] = problem.errors;
  if (!isExpected(problem) && problem.status !== 409) reportError(operation, problem);
  if (first && SAID_ABOVE.has(first.code)) return { success: false, message: first.description };
  const atFields = fieldErrors(problem);
  const hasFields = Object.keys(atFields).length > 0;
  return {
    success: false,
    message: hasFields ? CHECK_YOUR_DETAILS : somethingWentWrong(problem),
    fieldErrors: atFields,
  };
}
