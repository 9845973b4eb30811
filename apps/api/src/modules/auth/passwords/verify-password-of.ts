import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { checkLimits } from '../../limits/check-limits.ts';
import { findUserByEmail } from '../users/users.queries.ts';
import { countFailedSignIn, type SignInGuards, signInGuards } from './guessing-limits.ts';
import { hashingGate } from './hashing-gate.ts';
import { isOwnersAddress } from './known-address.ts';
import { NOBODYS_HASH, verifyPassword } from './password-hash.ts';

/** The limits on a sign-in, customer or staff. */
export async function guardsOfSignIn(deps: Deps, who: { email: string; ip: string }): Promise<SignInGuards> {
  return signInGuards(who, { isOwners: await isOwnersAddress(deps, who) });
}

/** Finds the account with this email and password, and tells which guards have counted something. */
export async function verifyPasswordOf(
  deps: Deps,
  { guards, email, password }: { guards: SignInGuards; email: string; password: string },
) {
  // Check before the gate, so that a refused attempt takes up no place in it, and again inside, where so few attempts
  // run at once that only a few can pass a limit together.
  const allowed = await checkLimits(deps, guards.refusing);
  if (!allowed.ok) return allowed;
  const tried = await hashingGate.run(async () => {
    const stillAllowed = await checkLimits(deps, guards.refusing);
    if (!stillAllowed.ok) return stillAllowed;
    const user = await findUserByEmail(deps.db.query, email);
    const isRight = await verifyPassword(user?.passwordHash ?? NOBODYS_HASH, password);
    if (user && isRight) return ok({ user, counted: stillAllowed.value });
    await countFailedSignIn(deps, guards);
    return fail('wrong');
  });
  return tried.ok ? tried.value : tried;
}
