import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { spendMailTokens } from '../../auth/mailbox/mail-tokens.ts';
import { setPasswordHash } from '../../auth/users/users.queries.ts';
import type { StaffRow } from '../people/staff.queries.ts';
import { endSessions } from '../sessions/sessions.queries.ts';

/** Sets a person's password. Ends their sessions, and a mailed reset link can't set another one any more. */
export async function setStaffPassword(
  deps: Deps,
  tx: Queryable,
  { person, passwordHash }: { person: StaffRow; passwordHash: string },
): Promise<void> {
  await setPasswordHash(tx, { userId: person.userId, passwordHash });
  await endSessions(tx, { staffId: person.id, reason: 'new-password' });
  await spendMailTokens(deps, tx, { purpose: 'office-reset', email: person.email });
}
