import { callOffice } from '../../lib/api-client.ts';
import { SIGN_OUT } from './auth-calls.ts';

/** Ends the session and loads the sign-in anew, so that nothing of it stays in memory. */
export async function signOut(): Promise<void> {
  await callOffice(SIGN_OUT, { isAnonymous: true });
  window.location.assign('/office/sign-in');
}
