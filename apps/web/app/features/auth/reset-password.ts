import { linkRefusal } from '@brightpane/ui/mail-link/link-refusal';
import type { MailLink } from '@brightpane/ui/mail-link/mail-link';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { authFieldErrors, INVALID_RESET_LINK, PASSWORD_RESET, somethingWentWrong } from './auth-messages.ts';

/** Uses the link of a reset mail and sets a new password. */
export async function resetPassword({ email, token }: MailLink, password: string): Promise<ActionResult> {
  if (email === null || token === null) return { success: false, message: INVALID_RESET_LINK };
  const answer = await callApi('confirmResetPassword', { body: { email, passwordToken: token, password } });
  if (answer.ok) {
    return { success: true, message: '', goTo: { path: '/login', state: { flash: PASSWORD_RESET } } };
  }
  if (!isExpected(answer.problem)) reportError('confirmResetPassword', answer.problem);
  return {
    success: false,
    message: linkRefusal(somethingWentWrong(answer.problem), answer.problem),
    fieldErrors: authFieldErrors(answer.problem),
  };
}
