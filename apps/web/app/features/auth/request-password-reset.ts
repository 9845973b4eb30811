import type { ActionResult } from '../../lib/action-result.ts';
import { callApi } from '../../lib/api-client.ts';
import { isExpected, reportError } from '../../lib/telemetry.ts';
import { accountFieldErrors, RESET_MAIL_SENT, somethingWentWrong } from './auth-messages.ts';

export async function requestPasswordReset(email: string): Promise<ActionResult> {
  const answer = await callApi('resetPassword', { query: { email } });
  if (answer.ok) return { success: true, message: RESET_MAIL_SENT };
  if (!isExpected(answer.problem)) reportError('resetPassword', answer.problem);
  return {
    success: false,
    message: somethingWentWrong(answer.problem),
    fieldErrors: accountFieldErrors(answer.problem),
  };
}
