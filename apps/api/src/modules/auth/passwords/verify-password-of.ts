import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { checkLimits } from '../../limits/check-limits.ts';
import { findUserByEmail } from '../users/users.queries.ts';
import { countFailedSignIn, type SignInGuards, signInGuards } from './guessing-limits.ts';
import { hashingGate } from './hashing-gate.ts';
import { isOwnersAddress } from './known-address.ts';
import { NOBODYS_HASH, verifyPassword } from './password-hash.ts';

/** What a sign-in is limited by, at whichever door. */
export async function guardsOfSignIn(deps: Deps, who: { email: string; ip: string }): Promise<SignInGuards> {
  return signInGuards(who, { isOwners: await isOwnersAddress(deps, who) });
}

/** The account whose password this is, and which of the guards have counted something. */
export async function verifyPasswordOf(
  deps: Deps,
  { guards, email, password }: { guards: SignInGuards; email: string; password: string },
) {
  // Asked before the gate, so that whoever has to wait takes nobody's place in it, and again inside, where only a few
  // tries run at once and so only a few can get past a limit together.
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
