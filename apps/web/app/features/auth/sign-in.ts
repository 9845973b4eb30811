import type { Login, Tokens } from '@brightpane/contract/customers/authentication';
import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { isExpected } from '@brightpane/ui/reporting/telemetry';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { forgetMadeAccount } from '../../lib/session/made-account.ts';
import { forgetPagesPerson } from '../../lib/session/pages-person.ts';
import { storeSession } from '../../lib/session/session.ts';
import { forgetSessionEnd } from '../../lib/session/session-end.ts';
import { isSignInOutcome, signInMessage } from './auth-messages.ts';

export type SignInResult = ActionResult & {
  /** Who tried. The verification mail is resent to this address, even if the field has changed since. */
  email: string;
};

/** Stores the session on success. */
export async function signIn({ email, password }: Login): Promise<SignInResult> {
  const answer = await callApi<Tokens>('login', { body: { email, password } });
  if (answer.ok) {
    forgetPagesPerson();
    storeSession(answer.data);
    forgetSessionEnd();
    forgetMadeAccount();
    return { success: true, message: '', email };
  }
  const { problem } = answer;
  if (!isExpected(problem) && !isSignInOutcome(problem)) reportError('login', problem);
  return {
    success: false,
    message: signInMessage(problem),
    fieldErrors: fieldErrors(problem),
    showResendConfirmEmail: problem.detail === 'NotAllowed',
    email,
  };
}
