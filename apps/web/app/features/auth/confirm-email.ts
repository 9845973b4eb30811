import { withWaitAdvice } from '@brightpane/contract/wait-advice';
import { linkRefusal } from '@brightpane/ui/mail-link/link-refusal';
import type { MailLink } from '@brightpane/ui/mail-link/mail-link';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { EMAIL_CONFIRMED, EMAIL_NOT_CONFIRMED, INVALID_CONFIRMATION_LINK } from './auth-messages.ts';

/** Uses the link of a verification mail. */
export async function confirmEmail({ email, token }: MailLink): Promise<ActionResult> {
  if (email === null || token === null) return { success: false, message: INVALID_CONFIRMATION_LINK };
  const answer = await callApi('confirm', { body: { email, token } });
  if (answer.ok) {
    return { success: true, message: '', goTo: { path: '/login', state: { flash: EMAIL_CONFIRMED } } };
  }
  if (!isExpected(answer.problem)) reportError('confirm', answer.problem);
  const message = withWaitAdvice(EMAIL_NOT_CONFIRMED, answer.problem);
  return { success: false, message: linkRefusal(message, answer.problem) };
}
