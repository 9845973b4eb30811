import { USER_TYPE } from '@brightpane/contract/customers/users';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { spendMailTokens } from '../mailbox/mail-tokens.ts';
import { isHeldForUndo } from './held-addresses.queries.ts';
import { putUser, type UserRow } from './users.queries.ts';
import { dropWaitingOffer } from './waiting-offers.queries.ts';

/**
 * An account whose email has been shown to be its owner's, in the caller's transaction; nothing where it is taken. A
 * registration of that email that nobody has confirmed gives way to it.
 */
export async function makeConfirmedUser(
  deps: Pick<Deps, 'clock'>,
  tx: Queryable,
  details: { email: string; firstName: string; lastName: string; passwordHash: string },
): Promise<UserRow | undefined> {
  if (await isHeldForUndo(tx, details.email)) return undefined;
  const now = deps.clock();
  const user = await putUser(tx, {
    ...details,
    userType: USER_TYPE.user,
    emailConfirmedAt: now,
    createdAt: now,
  });
  if (!user) return undefined;
  await dropWaitingOffer(tx, user.id);
  await spendMailTokens(deps, tx, { purpose: 'confirm', email: details.email });
  return user;
}
