import type { Deps } from '../../deps.ts';
import type { OfficeCaller } from '../../http/office-caller.ts';
import { fail, ok } from '../../http/result.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { invitationMail, invitationToAccountMail } from '../../mail/templates/invitation.ts';
import { recordOfficeAct } from '../acts/record-office-act.ts';
import { emailKey } from '../auth/email-key.ts';
import { hasAccount } from '../auth/has-account.ts';
import { createMailLink, mailTokenExpiry } from '../auth/mail-tokens.ts';
import { findCustomer, renewInvitation } from './invitations.queries.ts';

/**
 * Offers a person to see and pay a customer's invoices. Without an account the mail leads to making one; with an
 * account it leads to signing in, where the invitation waits.
 */
export async function inviteCustomer(
  deps: Deps,
  given: { franchiseId: number; customerNumber: number; email: string; by: OfficeCaller },
) {
  const { by, franchiseId } = given;
  const customer = await findCustomer(deps.db.query, { ...given, actorId: by.id });
  if (!customer) return fail('no-such-customer');
  const email = emailKey(given.email);
  const hasOne = await hasAccount(deps, { email });
  const { franchiseName, name: customerName } = customer;

  const invitationId = await deps.db.transaction(async (tx) => {
    const expiresAt = mailTokenExpiry(deps, 'invitation');
    const id = await renewInvitation(tx, { customerId: customer.id, email, expiresAt });
    const content = hasOne
      ? invitationToAccountMail({ franchiseName, customerName, signInLink: `${deps.env.PUBLIC_URL}/login` })
      : invitationMail({
          franchiseName,
          customerName,
          link: await createMailLink(deps, tx, { purpose: 'invitation', email, invitationId: id }),
        });
    await queueMail(tx, { kind: 'invitation', recipient: email, content });
    await recordOfficeAct(tx, by, { action: 'invite', subject: `customer ${customer.id}`, franchiseId });
    deps.crashPoint('57-inside-invite');
    return id;
  });
  deps.crashPoint('58-invited');
  deps.log.info({ invitationId, customerId: customer.id }, 'customer invited');
  return ok(invitationId);
}
