import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { mailboxGuard } from '../../auth/mailbox/mail-limits.ts';
import { sendAccountMail } from '../../auth/mailbox/send-account-mail.ts';
import { lockUserById } from '../../auth/users/users.queries.ts';
import { findCustomer } from '../../invitations/invitations.queries.ts';
import { countWithin } from '../../limits/check-limits.ts';
import { type CustomerNumbers, findLinkedPerson } from './customer-page.queries.ts';

type Kind = 'reset' | 'confirm';

/** Mails a person who sees a customer a link to reset the password or to confirm the address. */
export async function mailPerson(
  deps: Deps,
  tx: Queryable,
  { by, userId, kind, ...numbers }: CustomerNumbers & { by: OfficeCaller; userId: string; kind: Kind },
) {
  const customer = await findCustomer(tx, { ...numbers, actorId: by.id });
  if (!customer) return fail('customer-not-found');
  const person = await findLinkedPerson(tx, { actorId: by.id, customerId: customer.id, userId });
  if (!person) return fail('person-not-found');
  const fits = mayGetMail(kind, person);
  if (!fits.ok) return fits;

  const mailbox = mailboxGuard({ purpose: kind, email: person.email });
  const allowed = await countWithin({ ...deps, db: { query: tx } }, [mailbox]);
  if (!allowed.ok) return allowed;
  // Locked after the count, as by a registration. Meanwhile the account may have been closed, or moved to another mailbox.
  const account = await lockUserById(tx, userId);
  if (!account) return fail('person-not-found');
  const { email, active: isActive, emailConfirmedAt } = account;
  const stillFits = mayGetMail(kind, { isActive, isConfirmed: emailConfirmedAt !== null });
  if (!stillFits.ok) return stillFits;
  await sendAccountMail(deps, tx, { purpose: kind, email });
  await recordAct(tx, by, {
    action: kind === 'reset' ? 'mail-reset' : 'mail-confirmation',
    subject: `customer ${numbers.franchiseId}/${numbers.customerNumber}`,
    franchiseId: numbers.franchiseId,
    detail: { userId },
  });
  return ok(undefined);
}

function mayGetMail(kind: Kind, { isActive, isConfirmed }: { isActive: boolean; isConfirmed: boolean }) {
  if (!isActive) return fail('off');
  return kind === 'confirm' && isConfirmed ? fail('confirmed') : ok(undefined);
}
