import type { Register } from '@brightpane/contract/customers/users';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { callApi } from '../../lib/api-client.ts';
import { reportError } from '../../lib/report-error.ts';
import { noteMadeAccount } from '../../lib/session/made-account.ts';
import { authFieldErrors, CHECK_YOUR_DETAILS, somethingWentWrong } from './auth-messages.ts';

/** People who register themselves are always customers. */
const USER = 2;

export async function register(person: Omit<Register, 'userType'>): Promise<ActionResult> {
  const answer = await callApi('register', { body: { ...person, userType: USER } });
  if (answer.ok) {
    noteMadeAccount(person.email);
    return { success: true, message: '', goTo: { path: '/register/success' } };
  }
  const fieldErrors = authFieldErrors(answer.problem);
  if (Object.keys(fieldErrors).length > 0)
    return { success: false, message: CHECK_YOUR_DETAILS, fieldErrors };
  reportError('register', answer.problem);
  return { success: false, message: somethingWentWrong(answer.problem) };
}
