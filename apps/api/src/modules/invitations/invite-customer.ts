import { USER_TYPE } from '@brightpane/contract/customers/users';
import { recordAct } from '../../db/audit.queries.ts';
import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import type { OfficeCaller } from '../../http/office-caller.ts';
import { fail, ok } from '../../http/result.ts';
import { invitationKey } from '../../mail/mail-keys.ts';
import { queueMail } from '../../mail/queue-mail.queries.ts';
import { invitationMail, invitationToAccountMail } from '../../mail/templates/invitation.ts';
import { createMailLink, mailTokenExpiry } from '../auth/mailbox/mail-tokens.ts';
import { emailKey } from '../auth/users/email-key.ts';
import { isHeldForUndo } from '../auth/users/held-addresses.queries.ts';
import { findUserByEmail } from '../auth/users/users.queries.ts';
import { takeInvitation } from './invitation-limit.ts';
import { findCustomer, renewInvitation } from './invitations.queries.ts';

type Invited = { franchiseId: number; customerNumber: number; email: string; by: OfficeCaller };

/**
 * Invites a person to see and pay a customer's invoices. The mail leads to signing up or, if they have an account, to
 * signing in, where the invitation waits.
 */
export async function inviteCustomer(deps: Deps, tx: Queryable, given: Invited) {
  const { by, franchiseId } = given;
  const customer = await findCustomer(tx, { ...given, actorId: by.id });
  if (!customer) return fail('no-such-customer');
  const email = emailKey(given.email);
  const account = await findUserByEmail(tx, email);
  if (account && account.userType !== USER_TYPE.user) return fail('staff-email');
  if (!account && (await isHeldForUndo(tx, email))) return fail('address-left');
  const allowed = await takeInvitation(deps, tx, by);
  if (!allowed.ok) return allowed;
  const { franchiseName, name: customerName } = customer;

  const expiresAt = mailTokenExpiry(deps, 'invitation');
  const id = await renewInvitation(tx, { customerId: customer.id, email, expiresAt });
  // An unconfirmed account may be a stranger's, so treat it as none.
  const content = account?.emailConfirmedAt
    ? invitationToAccountMail({ franchiseName, customerName, signInLink: `${deps.env.PUBLIC_URL}/login` })
    : invitationMail({
        franchiseName,
        customerName,
        link: await createMailLink(deps, tx, { purpose: 'invitation', email, invitationId: id }),
      });
  await queueMail(tx, { kind: 'invitation', recipient: email, content, onceKey: invitationKey(id) });
  await recordAct(tx, by, {
    action: 'invite',
    subject: `customer ${franchiseId}/${given.customerNumber}`,
    franchiseId,
    detail: { invitationId: id },
  });
  deps.log.info({ invitationId: id, customerId: customer.id }, 'customer invited');
  return ok(id);
}
