import type { Deps } from '../../../deps.ts';
import { ok } from '../../../http/result.ts';
import { checkLimits } from '../../limits/check-limits.ts';
import { findUserByEmail } from '../users/users.queries.ts';
import { countFailedSignIn, type SignInGuards, signInGuards } from './guessing-limits.ts';
import { attemptGate, hashingGate } from './hashing-gate.ts';
import { isOwnersAddress } from './known-address.ts';
import { NOBODYS_HASH, verifyPassword } from './password-hash.ts';

/** The limits on a sign-in, customer or staff. */
export async function guardsOfSignIn(deps: Deps, who: { email: string; ip: string }): Promise<SignInGuards> {
  return signInGuards(who, { isOwners: await isOwnersAddress(deps, deps.db.query, who) });
}

/** Finds the account with this email and password, and tells which guards have counted something. */
export async function verifyPasswordOf(
  deps: Deps,
  { guards, email, password }: { guards: SignInGuards; email: string; password: string },
) {
  // Check before a full gate, so that a refused attempt takes up no place in its queue, and always inside, where so few
  // attempts run at once that only a few can pass a limit together.
  if (attemptGate.isFull) {
    const allowed = await checkLimits(deps, guards.refusing);
    if (!allowed.ok) return allowed;
  }
  const tried = await attemptGate.run(async () => {
    const [allowed, user] = await Promise.all([
      checkLimits(deps, guards.refusing),
      findUserByEmail(deps.db.query, email),
    ]);
    if (!allowed.ok) return allowed;
    const passwordHash = user?.passwordHash ?? NOBODYS_HASH;
    const checked = await hashingGate.run(() => verifyPassword(passwordHash, password));
    if (!checked.ok) return checked;
    if (user && checked.value) return ok({ user, counted: allowed.value });
    return countFailedSignIn(deps, guards);
  });
  return tried.ok ? tried.value : tried;
}
