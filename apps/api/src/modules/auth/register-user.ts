import type { Register } from '@brightpane/contract/users';
import { USER_TYPE } from '@brightpane/contract/users';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { countAgainst } from '../limits/check-limits.ts';
import { limitMisses } from '../limits/limit-misses.ts';
import { emailKey } from './email-key.ts';
import { takenEmailGuards } from './guessing-limits.ts';
import { hashingGate } from './hashing-gate.ts';
import { mailGuard } from './mail-limits.ts';
import { hashPassword } from './password-hash.ts';
import { judgePassword } from './password-policy.ts';
import { sendAccountMail } from './send-account-mail.ts';
import { insertUser } from './users.queries.ts';

/** Makes an account, always of a User, and sends the mail that confirms its address. */
export async function registerUser(deps: Deps, { ip, ...details }: Register & { ip: string }) {
  const email = emailKey(details.email);
  const judged = await judgePassword(details.password, { email });
  if (!judged.ok) return judged;

  return limitMisses(
    deps,
    {
      guards: [...takenEmailGuards(ip), mailGuard(ip)],
      isMiss: (outcome) => !outcome.ok && outcome.code === 'duplicate-email',
    },
    async () => {
      const hashed = await hashingGate.run(() => hashPassword(details.password));
      if (!hashed.ok) return hashed;
      const user = await deps.db.transaction(async (tx) => {
        const made = await insertUser(tx, {
          email,
          firstName: details.firstName,
          lastName: details.lastName,
          passwordHash: hashed.value,
          userType: USER_TYPE.user,
        });
        if (made) await sendAccountMail(deps, tx, { purpose: 'confirm', email });
        deps.crashPoint('53-inside-sign-up');
        return made;
      });
      deps.crashPoint('29-user-stored');
      if (!user) return fail('duplicate-email');
      await countAgainst(deps, [mailGuard(ip)]);
      deps.log.info({ userId: user.id }, 'registered');
      return ok(undefined);
    },
  );
}
