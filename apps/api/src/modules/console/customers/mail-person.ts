import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { mailboxGuard } from '../../auth/mailbox/mail-limits.ts';
import { sendAccountMail } from '../../auth/mailbox/send-account-mail.ts';
import { findCustomer } from '../../invitations/invitations.queries.ts';
import { countWithin } from '../../limits/check-limits.ts';
import { type CustomerNumbers, findLinkedPerson } from './customer-page.queries.ts';

/** Mails a person who sees a customer a link to reset the password or to confirm the address. */
export async function mailPerson(
  deps: Deps,
  tx: Queryable,
  {
    by,
    userId,
    kind,
    ...numbers
  }: CustomerNumbers & { by: OfficeCaller; userId: string; kind: 'reset' | 'confirm' },
) {
  const customer = await findCustomer(tx, { ...numbers, actorId: by.id });
  if (!customer) return fail('customer-not-found');
  const person = await findLinkedPerson(tx, { actorId: by.id, customerId: customer.id, userId });
  if (!person) return fail('person-not-found');
  if (!person.isActive) return fail('off');
  if (kind === 'confirm' && person.isConfirmed) return fail('confirmed');

  const mailbox = { purpose: kind, email: person.email };
  const allowed = await countWithin({ ...deps, db: { query: tx } }, [mailboxGuard(mailbox)]);
  if (!allowed.ok) return allowed;
  await sendAccountMail(deps, tx, mailbox);
  await recordAct(tx, by, {
    action: kind === 'reset' ? 'mail-reset' : 'mail-confirmation',
    subject: `customer ${numbers.franchiseId}/${numbers.customerNumber}`,
    franchiseId: numbers.franchiseId,
    detail: { userId },
  });
  return ok(undefined);
}
