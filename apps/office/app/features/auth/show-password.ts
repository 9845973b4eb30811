import type { SignInStarted } from '@brightpane/contract/office/sessions';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { callOffice } from '../../lib/api-client.ts';
import { done } from '../../ui/act/act-form.tsx';
import { resultOf } from './auth-result.ts';

const ENROL = 'You have no second factor yet. We sent you a link: open it to add one.';

/** Sends the password. `then` asks for one of the person's second factors; without any, the outcome says what to do. */
export async function showPassword(
  body: { email: string; password: string },
  then: (methods: SignInStarted['methods']) => void,
): Promise<ActionResult> {
  const started = await callOffice<SignInStarted>(OFFICE_ENDPOINTS.signIn, { body, isAnonymous: true });
  if (started.ok && started.data.next === 'enrol') return done(ENROL);
  return resultOf(started, ({ methods }) => then(methods));
}
