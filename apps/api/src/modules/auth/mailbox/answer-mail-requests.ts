import { USER_TYPE } from '@brightpane/contract/customers/users';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { findStaffState, findUserByEmail, type UserRow } from '../users/users.queries.ts';
import { takeMailboxShare } from './mail-limits.ts';
import { takeMailRequest } from './mail-requests.queries.ts';
import { type AccountMailPurpose, sendAccountMail } from './send-account-mail.ts';

/** Works off mail requests; sends mail only to addresses with an account that it fits. */
export async function answerMailRequests(deps: Deps): Promise<void> {
  while (await answerOne(deps));
}

function answerOne(deps: Deps): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const request = await takeMailRequest(tx);
    if (!request) return false;
    const { email, isPastLimit } = request;
    const user = await findUserByEmail(tx, email);
    const purpose = user && (await purposeFor(tx, user, request.purpose));
    if (user && purpose && (await takeMailboxShare(deps, tx, { purpose, email, isPastLimit }))) {
      await sendAccountMail(deps, tx, { purpose, email });
      deps.log.info({ userId: user.id, purpose }, 'account mail requested');
    }
    return true;
  });
}

/** Which mail an account gets for a request, customer or staff; null: none. */
async function purposeFor(
  tx: Queryable,
  user: UserRow,
  asked: AccountMailPurpose,
): Promise<AccountMailPurpose | null> {
  if (!user.active) return null;
  const isStaff = user.userType !== USER_TYPE.user;
  if (asked === 'confirm') return isStaff || user.emailConfirmedAt !== null ? null : 'confirm';
  // Staff who are switched off have nothing to sign in to.
  if (isStaff) return (await findStaffState(tx, user.id)) === 'off' ? null : 'office-reset';
  return asked === 'reset' ? 'reset' : null;
}
