import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { forgetMailLink } from '@brightpane/ui/mail-link/mail-link';
import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { callOffice } from '../../lib/api-client.ts';
import { refusalWords } from '../../lib/refusal.ts';
import { DONE } from '../../ui/act/act-form.tsx';

/**
 * Ends the session and reloads the page, so that nothing of the session stays in memory or in this tab's storage. Stays on the screen if the
 * session may still be open.
 */
export async function signOut(): Promise<ActionResult> {
  const answer = await callOffice(OFFICE_ENDPOINTS.signOut, { isAnonymous: true });
  // 401: the session had ended before.
  if (!answer.ok && answer.problem.status !== 401) {
    return { success: false, message: `You may still be signed in. ${refusalWords(answer.problem)}` };
  }
  forgetMailLink();
  window.location.assign('/office/sign-in');
  return DONE;
}
