import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { authFieldErrors, RESET_MAIL_SENT, somethingWentWrong } from './auth-messages.ts';

export async function requestPasswordReset(email: string): Promise<ActionResult> {
  const answer = await callApi('resetPassword', { query: { email } });
  if (answer.ok) return { success: true, message: RESET_MAIL_SENT };
  if (!isExpected(answer.problem)) reportError('resetPassword', answer.problem);
  return {
    success: false,
    message: somethingWentWrong(answer.problem),
    fieldErrors: authFieldErrors(answer.problem),
  };
}
