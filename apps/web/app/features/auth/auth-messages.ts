import type { Problem, ProblemError } from '@brightpane/contract/problem';
import { type Refusal, withWaitAdvice } from '@brightpane/contract/wait-advice';
import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { SOMETHING_WENT_WRONG } from '@brightpane/ui/words/something-went-wrong';

/** By the problem's `detail`, since a failed sign-in has no code. */
const SIGN_IN_MESSAGES: Record<string, string> = {
  LockedOut: 'Sorry, your account has been deactivated. Please contact customer support for assistance.',
  NotAllowed: 'Please confirm your email address. Check your email inbox for a verification email.',
  Failed: 'Wrong email or password.',
  RequiresTwoFactor: 'Two-factor authentication is required but not yet supported.',
};

export const CHECK_YOUR_DETAILS = 'Please check your details and try again.';
export const CHECK_YOUR_INBOX = 'Please check your email inbox for a verification email.';
export const RESET_MAIL_SENT = 'Check your inbox for a password reset email.';
export const EMAIL_CONFIRMED = 'Your account has now been confirmed! Please sign in.';
export const EMAIL_NOT_CONFIRMED =
  'Unable to confirm your email address. Please try again or contact customer support for help.';
export const SESSION_ENDED = 'Your session has ended. Sign in to return to where you were.';
export const PASSWORD_RESET = 'Your password has been reset. Please sign in.';

/** For links without an address or a token; they are refused without a call. */
export const INVALID_CONFIRMATION_LINK = 'Invalid confirmation link';
export const INVALID_RESET_LINK = 'Invalid reset password link';

export function signInMessage(problem: Pick<Problem, 'detail'> & Refusal): string {
  return SIGN_IN_MESSAGES[isSignInOutcome(problem) ? problem.detail : ''] ?? somethingWentWrong(problem);
}

/** The fallback for unforeseen answers. */
export function somethingWentWrong(problem: Refusal): string {
  return withWaitAdvice(SOMETHING_WENT_WRONG, problem);
}

/** Whether sign-in was refused for a reason with a message of its own. */
export function isSignInOutcome({ detail }: Pick<Problem, 'detail'>): boolean {
  return Object.hasOwn(SIGN_IN_MESSAGES, detail);
}

/**
 * Codes that contain Password belong to the password field, and codes that contain Email to the email field,
 * even if the error names no field. Other errors go to the field they name, if the form has it.
 */
export function authFieldErrors(problem: Pick<Problem, 'errors'>): FieldErrors {
  return fieldErrors({ errors: problem.errors.flatMap(atFormField) });
}

const FORM_FIELDS = ['email', 'firstName', 'lastName', 'password'];

function atFormField(error: ProblemError): ProblemError[] {
  if (error.code.includes('Password')) return [{ ...error, field: 'password' }];
  if (error.code.includes('Email')) return [{ ...error, field: 'email' }];
  return error.field !== undefined && FORM_FIELDS.includes(error.field) ? [error] : [];
}
