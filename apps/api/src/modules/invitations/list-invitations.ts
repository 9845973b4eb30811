import type { Invitation } from '@brightpane/contract/customers/invitations';
import type { Deps } from '../../deps.ts';
import { findPendingInvitations } from './invitations.queries.ts';

/** What waits for the signed-in user to accept. */
export function listInvitations(deps: Deps, { userId }: { userId: string }): Promise<Invitation[]> {
  return findPendingInvitations(deps.db.query, { userId, now: deps.clock() });
}
