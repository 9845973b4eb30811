import { USER_TYPE } from '@brightpane/contract/customers/users';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { spendMailTokens } from '../mailbox/mail-tokens.ts';
import { isHeldForUndo } from './held-addresses.queries.ts';
import { putUser, type UserRow } from './users.queries.ts';
import { dropWaitingOffer } from './waiting-offers.queries.ts';

/**
 * Creates an account whose email is already proved, in the caller's transaction. Replaces an unconfirmed registration
 * of that email; nothing if the email is taken.
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
