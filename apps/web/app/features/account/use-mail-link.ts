import type { Problem } from '@brightpane/contract/problem';
import { linkRefusal } from '@brightpane/ui/mail-link/link-refusal';
import type { MailLink } from '@brightpane/ui/mail-link/mail-link';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { callApi } from '../../lib/api-client.ts';
import { isLoggedIn } from '../../lib/session/session.ts';
import { logOut } from '../auth/log-out.ts';
import { done, refused } from './account-messages.ts';

/** `isOver`: the link does nothing any more, so its form goes. */
export type LinkResult = ActionResult & { isOver?: boolean };

const invalid = (whatNow: string): LinkResult => ({
  success: false,
  message: `This link is not valid any more. ${whatNow}`,
  isOver: true,
});

/** Each link's outcome when it is incomplete, old, used or altered. */
export const INVALID_LINK = {
  confirmEmailChange: invalid(
    'If your address has not changed, sign in and ask for the change again under Account.',
  ),
  undoEmailChange: invalid('If you did not make this change, contact your local office.'),
};

/** Uses the link that was mailed to the new address. */
export async function confirmNewEmail({ email, token }: MailLink): Promise<LinkResult> {
  if (email === null || token === null) return INVALID_LINK.confirmEmailChange;
  const answer = await callApi('confirmEmailChange', { body: { email, token } });
  if (!answer.ok) return refusedLink('confirmEmailChange', answer.problem);
  return done('Your email address is changed. Sign in with it from now on.');
}

/** Uses the link that was mailed to the previous address, and sets a new password. */
export async function undoEmailChange({ email, token }: MailLink, password: string): Promise<LinkResult> {
  if (email === null || token === null) return INVALID_LINK.undoEmailChange;
  const answer = await callApi('undoEmailChange', { body: { email, token, password } });
  if (!answer.ok) return refusedLink('undoEmailChange', answer.problem);
  // The server ended every session, this browser's too.
  if (isLoggedIn()) logOut();
  const flash = 'The change is undone. Please sign in with your new password.';
  return { success: true, message: '', goTo: { path: '/login', state: { flash } } };
}

function refusedLink(operation: keyof typeof INVALID_LINK, problem: Problem): LinkResult {
  const code = problem.errors[0]?.code;
  const result: LinkResult =
    code === 'InvalidToken'
      ? INVALID_LINK[operation]
      : { ...refused(operation, problem), isOver: code === 'EmailTaken' };
  return { ...result, message: linkRefusal(result.message, problem) };
}
