import { NO_ANSWER, waitAdvice } from '@brightpane/contract/wait-advice';
import type { RefusedCall } from '@brightpane/ui/forms/ask-server';
import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { reportRefusal } from '@brightpane/ui/reporting/telemetry';
import { SOMETHING_WENT_WRONG } from '@brightpane/ui/words/something-went-wrong';

export const NOT_HEARD = 'We did not hear back. Press again: nothing is done twice.';
export const NOT_HEARD_READING = 'We did not hear back. Check your connection, then try again.';

/** A form's outcome for a refused call: the server's own message, which is written for people. */
export function refusedResult(problem: RefusedCall): ActionResult {
  return {
    success: false,
    message: refusalWords(problem),
    fieldErrors: fieldErrors(problem),
  };
}

/** The message for a refused call. Also reports unexpected ones. */
export function refusalWords(problem: RefusedCall, notHeardWords: string = NOT_HEARD): string {
  const { status, detail } = problem;
  if (status === NO_ANSWER) return notHeardWords;
  // 503 is no fault: the portal turns the call away on purpose and says when to try again.
  if (status >= 500 && status !== 503) {
    reportRefusal('A call of the office', problem);
    return SOMETHING_WENT_WRONG;
  }
  return waitAdvice(problem) || detail || SOMETHING_WENT_WRONG;
}
