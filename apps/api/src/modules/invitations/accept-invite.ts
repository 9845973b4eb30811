import type { AcceptInvite } from '@brightpane/contract/customers/users';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { allOrNothing } from '../acts/all-or-nothing.ts';
import { limitWrongTokens } from '../auth/mailbox/limit-wrong-tokens.ts';
import { findGoodMailToken, holdMailToken, spendMailTokens } from '../auth/mailbox/mail-tokens.ts';
import { hashingGate } from '../auth/passwords/hashing-gate.ts';
import { rememberOwnersAddress } from '../auth/passwords/known-address.ts';
import { hashPassword } from '../auth/passwords/password-hash.ts';
import { judgePassword } from '../auth/passwords/password-policy.ts';
import { emailKey } from '../auth/users/email-key.ts';
import { makeConfirmedUser } from '../auth/users/make-confirmed-user.ts';
import { acceptInvitation, linkCustomers } from './invitations.queries.ts';

/**
 * Accepts a mailed invitation with a new account, whose email the mail has confirmed. Somebody who has an account by
 * now accepts it there, and the link stays unspent.
 */
export async function acceptInvite(deps: Deps, { ip, ...given }: AcceptInvite & { ip: string }) {
  const email = emailKey(given.email);
  const judged = await judgePassword(given.password, { email });
  if (!judged.ok) return judged;
  const token = { purpose: 'invitation', email, token: given.passwordToken } as const;

  return limitWrongTokens(
    deps,
    { ip, find: () => findGoodMailToken(deps, token) },
    async ({ invitationId }) => {
      if (invitationId === null) return fail('invalid-token');
      const hashed = await hashingGate.run(() => hashPassword(given.password));
      if (!hashed.ok) return hashed;
      return allOrNothing(deps.db, async (tx) => {
        const { firstName, lastName } = given;
        const user = await makeConfirmedUser(deps, tx, {
          email,
          firstName,
          lastName,
          passwordHash: hashed.value,
        });
        const customerId =
          user && (await acceptInvitation(tx, { invitationId, userId: user.id, now: deps.clock() }));
        if (!(await holdMailToken(deps, tx, token))) return fail('invalid-token');
        if (!user) return fail('duplicate-email');
        if (customerId === undefined) return fail('invalid-token');
        await spendMailTokens(deps, tx, { purpose: 'invitation', email, invitationId });
        await linkCustomers(tx, { userId: user.id, customerIds: [customerId] });
        await rememberOwnersAddress(deps, tx, { userId: user.id, ip });
        deps.log.info({ userId: user.id, customerId }, 'invitation accepted with a new account');
        return ok(undefined);
      });
    },
  );
}
