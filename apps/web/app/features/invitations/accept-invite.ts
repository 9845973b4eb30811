import { linkRefusal } from '@brightpane/ui/mail-link/link-refusal';
import type { MailLink } from '@brightpane/ui/mail-link/mail-link';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { authFieldErrors } from '../auth/auth-messages.ts';
import {
  acceptInviteMessage,
  INVALID_INVITATION_LINK,
  INVITE_ACCEPTED_BY_LINK,
} from './invitation-messages.ts';

/** Uses the link of an invitation and creates the account. */
export async function acceptInvite(
  { email, token }: MailLink,
  person: { firstName: string; lastName: string; password: string },
): Promise<ActionResult> {
  if (email === null || token === null) return { success: false, message: INVALID_INVITATION_LINK };
  const answer = await callApi('acceptInvite', { body: { email, ...person, passwordToken: token } });
  if (answer.ok) {
    return {
      success: true,
      message: '',
      goTo: { path: '/login', state: { flash: INVITE_ACCEPTED_BY_LINK } },
    };
  }
  if (!isExpected(answer.problem)) reportError('acceptInvite', answer.problem);
  return {
    success: false,
    message: linkRefusal(acceptInviteMessage(answer.problem), answer.problem),
    fieldErrors: authFieldErrors(answer.problem),
  };
}
