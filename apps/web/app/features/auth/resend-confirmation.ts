import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { CHECK_YOUR_INBOX, somethingWentWrong } from './auth-messages.ts';

/** Requests another verification mail. Whatever the outcome, it can be requested again. */
export async function resendConfirmation(email: string): Promise<ActionResult> {
  const answer = await callApi('resendEmailConfirmation', { body: { email } });
  if (answer.ok) return { success: true, message: CHECK_YOUR_INBOX, showResendConfirmEmail: true };
  if (!isExpected(answer.problem)) reportError('resendEmailConfirmation', answer.problem);
  return { success: false, message: somethingWentWrong(answer.problem), showResendConfirmEmail: true };
}
