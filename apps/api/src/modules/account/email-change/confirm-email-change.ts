import { hashToken } from '../../../crypto/hash-token.ts';
import { sqlState } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import { limitWrongTokens } from '../../auth/mailbox/limit-wrong-tokens.ts';
import { retireMailTokensOf } from '../../auth/mailbox/mail-tokens.queries.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { isHeldForUndo } from '../../auth/users/held-addresses.queries.ts';
import { lockUserById, removeUnconfirmedUser, setEmail } from '../../auth/users/users.queries.ts';
import { findChangeToConfirm, lockChangeToConfirm, markConfirmed } from './email-change.queries.ts';
import { changedMail } from './email-change-mails.ts';

const UNIQUE_VIOLATION = '23505';

/** Spends the link sent to a new address and moves the account there. Its sessions stay signed in. */
export function confirmEmailChange(deps: Deps, given: { email: string; token: string; ip: string }) {
  const named = { newEmail: emailKey(given.email), confirmHash: hashToken(given.token) };
  return limitWrongTokens(
    deps,
    { ip: given.ip, find: () => findChangeToConfirm(deps.db.query, named) },
    async ({ userId }) => {
      try {
        return await move(deps, { named, userId });
      } catch (error) {
        // Another account has taken the address meanwhile.
        if (sqlState(error) === UNIQUE_VIOLATION) return fail('invalid-token');
        throw error;
      }
    },
  );
}

function move(
  deps: Deps,
  { named, userId }: { named: { newEmail: string; confirmHash: Buffer }; userId: string },
) {
  return deps.db.transaction(async (tx) => {
    const user = await lockUserById(tx, userId);
    const change = await lockChangeToConfirm(tx, named);
    if (!user?.active || !change || (await isHeldForUndo(tx, change.newEmail))) return fail('invalid-token');
    await removeUnconfirmedUser(tx, change.newEmail);
    await setEmail(tx, { userId, email: change.newEmail });
    await markConfirmed(tx, change.id);
    await retireMailTokensOf(tx, { emails: [change.oldEmail, change.newEmail], now: deps.clock() });
    await queueMail(tx, changedMail(deps, change));
    deps.log.info({ userId }, 'email change confirmed');
    return ok(undefined);
  });
}
