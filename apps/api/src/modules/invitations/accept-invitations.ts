import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { lockUserById } from '../auth/users/users.queries.ts';
import { acceptPendingInvitations, hasAcceptedSince, linkCustomers } from './invitations.queries.ts';

/** A second click, another tab and the repeat after a lost answer come within this time. */
const REPEAT_MILLISECONDS = 3_600_000;

/**
 * Accepts all of the user's pending invitations. Idempotent: a repeat changes nothing. Fails if there was nothing to accept:
 * the office may have withdrawn the invitation, or it may have expired, since the page showed it.
 */
export async function acceptInvitations(deps: Deps, { userId }: { userId: string }) {
  const now = deps.clock();
  const accepted = await deps.db.transaction(async (tx) => {
    await lockUserById(tx, userId);
    const customerIds = await acceptPendingInvitations(tx, { userId, now });
    await linkCustomers(tx, { userId, customerIds });
    const since = new Date(now.getTime() - REPEAT_MILLISECONDS);
    return customerIds.length > 0 || (await hasAcceptedSince(tx, { userId, since })) ? customerIds : null;
  });
  if (accepted === null) return fail('no-invitation');
  deps.log.info({ userId, customerIds: accepted }, 'invitations accepted');
  return ok(undefined);
}
