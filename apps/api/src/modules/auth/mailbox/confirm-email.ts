import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { rememberOwnersAddress } from '../passwords/known-address.ts';
import { emailKey } from '../users/email-key.ts';
import { confirmUserEmail, lockUserByEmail } from '../users/users.queries.ts';
import { limitWrongTokens } from './limit-wrong-tokens.ts';
import { findGoodMailToken, holdMailToken, spendMailTokens } from './mail-tokens.ts';

/** Spends a confirmation mail's token; from then on the account may sign in. */
export async function confirmEmail(
  deps: Deps,
  { email, token, ip }: { email: string; token: string; ip: string },
) {
  const given = { purpose: 'confirm', email, token } as const;
  return limitWrongTokens(deps, { ip, find: () => findGoodMailToken(deps, given) }, async () => {
    return deps.db.transaction(async (tx) => {
      await lockUserByEmail(tx, emailKey(email));
      const held = await holdMailToken(deps, tx, given);
      if (!held) return fail('invalid-token');
      await spendMailTokens(deps, tx, { purpose: 'confirm', email: held.email });
      const user = await confirmUserEmail(tx, { email: emailKey(email), now: deps.clock() });
      if (!user) return fail('invalid-token');
      await rememberOwnersAddress(deps, tx, { userId: user.id, ip });
      deps.log.info({ userId: user.id }, 'email confirmed');
      return ok(undefined);
    });
  });
}
