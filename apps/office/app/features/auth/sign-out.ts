import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { callOffice } from '../../lib/api-client.ts';

/** Ends the session and reloads the page, so that nothing of the session stays in memory. */
export async function signOut(): Promise<void> {
  await callOffice(OFFICE_ENDPOINTS.signOut, { isAnonymous: true });
  window.location.assign('/office/sign-in');
}
