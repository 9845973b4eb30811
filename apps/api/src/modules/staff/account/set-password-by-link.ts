import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { type Failure, fail, type Success } from '../../../http/result.ts';
import { limitWrongTokens } from '../../auth/mailbox/limit-wrong-tokens.ts';
import { findGoodMailToken, holdMailToken } from '../../auth/mailbox/mail-tokens.ts';
import { emailKey } from '../../auth/users/email-key.ts';
import { findStaffByEmail, lockStaff, type StaffRow } from '../people/staff.queries.ts';
import { hashStaffPassword, judgeStaffPassword } from './choose-password.ts';
import { setStaffPassword } from './set-staff-password.ts';

type PasswordLink = {
  purpose: 'staff' | 'office-reset';
  email: string;
  token: string;
  password: string;
  /** Misses are counted by address. */
  ip: string;
};

/** What else the link does. `setPassword` also ends the person's sessions; without it nothing has changed yet. */
type UseLink = (
  tx: Queryable,
  held: { person: StaffRow; by: { id: string; name: string }; setPassword: () => Promise<void> },
) => Promise<Success<undefined> | Failure<'invalid-token' | 'access-held'>>;

/** Lets whoever has a link that we mailed to staff choose a password, in one commit with what `use` does. */
export async function setPasswordByLink(
  deps: Deps,
  { purpose, token, password, ip, ...given }: PasswordLink,
  use: UseLink,
) {
  const email = emailKey(given.email);
  const judged = await judgeStaffPassword(password, { email });
  if (!judged.ok) return judged;
  const named = { purpose, email, token };
  const find = async () => {
    const person = (await findGoodMailToken(deps, named)) && (await findStaffByEmail(deps.db.query, email));
    return person?.state === 'off' ? undefined : person;
  };
  return limitWrongTokens(deps, { ip, find }, async () => {
    const hashed = await hashStaffPassword(password);
    if (!hashed.ok) return hashed;
    return deps.db.transaction(async (tx) => {
      const found = await findStaffByEmail(tx, email);
      const person = found && (await lockStaff(tx, found.id));
      const held = await holdMailToken(deps, tx, named);
      // Switching a person off retires their links; a request for a mail, read before, may still send one.
      if (!held || !person || person.state === 'off') return fail('invalid-token');
      const setPassword = () => setStaffPassword(deps, tx, { person, passwordHash: hashed.value });
      return use(tx, { person, by: { id: person.id, name: email }, setPassword });
    });
  });
}
