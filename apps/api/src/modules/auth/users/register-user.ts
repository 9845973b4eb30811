import type { Register } from '@brightpane/contract/customers/users';
import { USER_TYPE } from '@brightpane/contract/customers/users';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { limitTries } from '../../limits/limit-misses.ts';
import {
  limitMailsToAnybody,
  mailboxGuard,
  registrationsPastLimits,
  takeMailboxShare,
} from '../mailbox/mail-limits.ts';
import { sendAccountMail } from '../mailbox/send-account-mail.ts';
import { takenEmailGuards } from '../passwords/guessing-limits.ts';
import { hashingGate } from '../passwords/hashing-gate.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { judgePassword } from '../passwords/password-policy.ts';
import { emailKey } from './email-key.ts';
import { isHeldForUndo } from './held-addresses.queries.ts';
import { findUserByEmail, putUser } from './users.queries.ts';
import { dropWaitingOffer, putWaitingOffer, type WaitingOffer } from './waiting-offers.queries.ts';

/**
 * Registers a customer account and sends its confirmation mail. Replaces an unconfirmed registration, including its
 * links: that one may be a stranger's, so the address's owner starts over.
 */
export async function registerUser(
  deps: Deps,
  { ip, offer, ...details }: Register & { ip: string; offer?: WaitingOffer },
) {
  const email = emailKey(details.email);
  const judged = await judgePassword(details.password, { email });
  if (!judged.ok) return judged;
  const taken = takenEmailGuards(ip);
  const mailbox = { purpose: 'confirm', email } as const;

  return limitTries(
    deps,
    {
      guards: [...taken, mailboxGuard(mailbox)],
      countedBy: (outcome) => (!outcome.ok && outcome.code === 'duplicate-email' ? taken : []),
    },
    () =>
      limitMailsToAnybody(deps, { ip, pastLimits: registrationsPastLimits }, async () => {
        const hashed = await hashingGate.run(() => hashPassword(details.password));
        if (!hashed.ok) return hashed;
        const registered = await deps.db.transaction(async (tx) => {
          const known = await findUserByEmail(tx, email);
          if (known && (known.emailConfirmedAt || known.userType !== USER_TYPE.user))
            return fail('duplicate-email');
          if (await isHeldForUndo(tx, email)) return fail('duplicate-email');
          if (!(await takeMailboxShare(deps, tx, mailbox))) {
            return fail('too-many-attempts', { retryAfterSeconds: 1 });
          }
          const user = await putUser(tx, {
            email,
            firstName: details.firstName,
            lastName: details.lastName,
            passwordHash: hashed.value,
            userType: USER_TYPE.user,
            emailConfirmedAt: null,
            createdAt: deps.clock(),
          });
          if (!user) return fail('duplicate-email');
          await dropWaitingOffer(tx, user.id);
          if (offer) await putWaitingOffer(tx, { ...offer, userId: user.id });
          await sendAccountMail(deps, tx, mailbox);
          return ok(user.id);
        });
        if (registered.ok) deps.log.info({ userId: registered.value }, 'registered');
        return registered.ok ? ok(undefined) : registered;
      }),
  );
}
