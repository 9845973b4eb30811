import type { Problem } from '@brightpane/contract/problem';
import type { Refusal } from '@brightpane/contract/wait-advice';
import { authFieldErrors, CHECK_YOUR_DETAILS, somethingWentWrong } from '../auth/auth-messages.ts';

/** The form's message for a refused invitation. */
export function acceptInviteMessage(problem: Pick<Problem, 'errors'> & Refusal): string {
  if (problem.status === 404 || problem.errors.some(({ code }) => code === 'InvalidToken')) return EXPIRED;
  return Object.keys(authFieldErrors(problem)).length > 0 ? CHECK_YOUR_DETAILS : somethingWentWrong(problem);
}

export const INVALID_INVITATION_LINK = 'Invalid invitation link';
export const INVITE_ACCEPTED_BY_LINK =
  'Thanks for accepting the invite! You can now log in with your new account.';
export const INVITE_ACCEPTED = 'Invite accepted';

const EXPIRED = 'Your invite has expired. Please contact your local office.';
