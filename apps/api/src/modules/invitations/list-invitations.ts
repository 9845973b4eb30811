import type { Invitation } from '@brightpane/contract/customers/invitations';
import type { Deps } from '../../deps.ts';
import { findPendingInvitations } from './invitations.queries.ts';

/** The signed-in user's pending invitations. */
export function listInvitations(deps: Deps, { userId }: { userId: string }): Promise<Invitation[]> {
  return findPendingInvitations(deps.db.query, { userId, now: deps.clock() });
}
