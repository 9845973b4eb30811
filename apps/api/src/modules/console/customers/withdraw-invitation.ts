import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { cancelUnsentInvitations } from '../../../mail/cancel-unsent-mail.queries.ts';
import { spendMailTokens } from '../../auth/mailbox/mail-tokens.ts';
import { findCustomer } from '../../invitations/invitations.queries.ts';
import { lockInvitation, markWithdrawn } from './access.queries.ts';
import type { CustomerNumbers } from './customer-page.queries.ts';

/** Ends an unaccepted invitation, its mailed link, and its mail if it isn't sent yet. */
export async function withdrawInvitation(
  deps: Pick<Deps, 'db' | 'clock'>,
  { by, invitationId, ...numbers }: CustomerNumbers & { by: OfficeCaller; invitationId: string },
) {
  return deps.db.transaction(async (tx) => {
    const customer = await findCustomer(tx, { ...numbers, actorId: by.id });
    if (!customer) return fail('customer-not-found');
    const invitation = await lockInvitation(tx, { invitationId, customerId: customer.id });
    if (!invitation) return fail('invitation-not-found');
    if (invitation.isAccepted) return fail('accepted');
    await markWithdrawn(tx, { invitationId });
    await spendMailTokens(deps, tx, { purpose: 'invitation', email: invitation.email, invitationId });
    await cancelUnsentInvitations(tx, [invitationId]);
    await recordAct(tx, by, {
      action: 'withdraw-invitation',
      subject: `customer ${numbers.franchiseId}/${numbers.customerNumber}`,
      franchiseId: numbers.franchiseId,
      detail: { invitationId },
    });
    return ok(undefined);
  });
}
