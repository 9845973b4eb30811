import type { ActionResult } from '@brightpane/ui/outcomes/action-result';
import { loadData } from '../../lib/load-data.ts';
import { INVITE_ACCEPTED } from './invitation-messages.ts';

/** Accepts all of the person's invitations. A failure is thrown: the specification shows the error page for it. */
export async function acceptInvitations(): Promise<ActionResult> {
  await loadData('acceptInvitations');
  return { success: true, message: '', goTo: { path: '/invoices', state: { flash: INVITE_ACCEPTED } } };
}
