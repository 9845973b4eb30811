import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { limitMisses } from '../../limits/limit-misses.ts';
import { mailTokenGuards } from '../passwords/guessing-limits.ts';
import { rememberOwnersAddress } from '../passwords/known-address.ts';
import { emailKey } from '../users/email-key.ts';
import { confirmUserEmail } from '../users/users.queries.ts';
import { holdMailToken, spendMailTokens } from './mail-tokens.ts';

/** Spends a confirmation mail's token; from then on the account may sign in. */
export async function confirmEmail(
  deps: Deps,
  { email, token, ip }: { email: string; token: string; ip: string },
) {
  return limitMisses(deps, { guards: mailTokenGuards(ip), isMiss: (outcome) => !outcome.ok }, async () => {
    return deps.db.transaction(async (tx) => {
      const held = await holdMailToken(deps, tx, { purpose: 'confirm', email, token });
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
