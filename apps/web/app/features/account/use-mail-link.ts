import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import type { MailLink } from '@brightpane/ui/page/mail-link';
import { callApi } from '../../lib/api-client.ts';
import { isLoggedIn } from '../../lib/session/session.ts';
import { logOut } from '../auth/log-out.ts';
import { done, INVALID_MAIL_LINK, refused } from './account-messages.ts';

/** Uses the link that was mailed to the new address. */
export async function confirmNewEmail({ email, token }: MailLink): Promise<ActionResult> {
  if (email === null || token === null) return { success: false, message: INVALID_MAIL_LINK };
  const answer = await callApi('confirmEmailChange', { body: { email, token } });
  if (!answer.ok) return refused('confirmEmailChange', answer.problem);
  return done('Your email address is changed. Sign in with it from now on.');
}

/** Uses the link that was mailed to the previous address, and sets a new password. */
export async function undoEmailChange({ email, token }: MailLink, password: string): Promise<ActionResult> {
  if (email === null || token === null) return { success: false, message: INVALID_MAIL_LINK };
  const answer = await callApi('undoEmailChange', { body: { email, token, password } });
  if (!answer.ok) return refused('undoEmailChange', answer.problem);
  // The server ended every session, this browser's too.
  if (isLoggedIn()) logOut();
  const flash = 'The change is undone. Please sign in with your new password.';
  return { success: true, message: '', goTo: { path: '/login', state: { flash } } };
}
