import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { cancelUnsentInvitations } from '../../../mail/cancel-unsent-mail.queries.ts';
import { findInvitationsToEarlier } from '../../account/earlier-invitations.queries.ts';
import { lockUserById } from '../../auth/users/users.queries.ts';
import { findCustomer } from '../../invitations/invitations.queries.ts';
import { endLinks, withdrawInvitationsOf } from './access.queries.ts';
import type { CustomerNumbers } from './customer-page.queries.ts';

/** Ends a person's access to a customer's locations and withdraws invitations that would restore it. */
export async function endAccess(
  deps: Pick<Deps, 'db' | 'log'>,
  { by, userId, ...numbers }: CustomerNumbers & { by: OfficeCaller; userId: string },
) {
  return deps.db.transaction(async (tx) => {
    const customer = await findCustomer(tx, { ...numbers, actorId: by.id });
    if (!customer) return fail('customer-not-found');
    await lockUserById(tx, userId);
    const link = { userId, customerId: customer.id };
    if (!(await endLinks(tx, link))) return fail('person-not-found');
    const toEarlier = await findInvitationsToEarlier(tx, userId);
    await cancelUnsentInvitations(tx, await withdrawInvitationsOf(tx, { ...link, toEarlier }));
    await recordAct(tx, by, {
      action: 'end-access',
      subject: `customer ${numbers.franchiseId}/${numbers.customerNumber}`,
      franchiseId: numbers.franchiseId,
      detail: { userId },
    });
    deps.log.info(link, 'access ended');
    return ok(undefined);
  });
}
