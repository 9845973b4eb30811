import type { Deps } from '../../deps.ts';
import { takeMailboxShare } from './mail-limits.ts';
import { takeMailRequest } from './mail-requests.queries.ts';
import { type AccountMailPurpose, sendAccountMail } from './send-account-mail.ts';
import { findUserByEmail, type UserRow } from './users.queries.ts';

/** Works off what people asked for: a mail goes where there is an account that it is for. */
export async function answerMailRequests(deps: Deps): Promise<void> {
  while (await answerOne(deps));
}

function answerOne(deps: Deps): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const request = await takeMailRequest(tx);
    if (!request) return false;
    const { purpose, email } = request;
    const user = await findUserByEmail(tx, email);
    if (user && isFor(user, purpose) && (await takeMailboxShare(deps, tx, request))) {
      await sendAccountMail(deps, tx, { purpose, email });
      deps.log.info({ userId: user.id, purpose }, 'account mail requested');
    }
    deps.crashPoint('56-inside-mail-request');
    return true;
  });
}

function isFor(user: UserRow, purpose: AccountMailPurpose): boolean {
  return user.active && (purpose !== 'confirm' || user.emailConfirmedAt === null);
}
