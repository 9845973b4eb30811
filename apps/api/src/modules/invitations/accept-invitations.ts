import type { Deps } from '../../deps.ts';
import { lockUserById } from '../auth/users/users.queries.ts';
import { acceptPendingInvitations, linkCustomers } from './invitations.queries.ts';

/** Accepts all of the user's pending invitations. Idempotent: a second click changes nothing. */
export async function acceptInvitations(deps: Deps, { userId }: { userId: string }): Promise<void> {
  const customerIds = await deps.db.transaction(async (tx) => {
    await lockUserById(tx, userId);
    const accepted = await acceptPendingInvitations(tx, { userId, now: deps.clock() });
    await linkCustomers(tx, { userId, customerIds: accepted });
    return accepted;
  });
  deps.log.info({ userId, customerIds }, 'invitations accepted');
}
