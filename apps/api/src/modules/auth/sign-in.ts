import type { Login, Tokens } from '@brightpane/contract/authentication';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { checkLimits, clearLimits } from '../limits/check-limits.ts';
import { emailKey } from './email-key.ts';
import { countFailedSignIn, type SignInGuards, signInGuards } from './guessing-limits.ts';
import { hashingGate } from './hashing-gate.ts';
import { isOwnersAddress } from './known-address.ts';
import { hashPassword, isOutdatedHash, NOBODYS_HASH, verifyPassword } from './password-hash.ts';
import { startSession } from './start-session.ts';
import { findUserByEmail, swapPasswordHash, type UserRow } from './users.queries.ts';

/** How often a sign-in is judged whose account keeps changing meanwhile. */
const MOST_JUDGEMENTS = 3;

/**
 * Signs in with email and password. An address without an account takes the same steps as a wrong password, hashing
 * included; what else may be wrong with an account is said only to somebody who knows its password.
 */
export async function signIn(deps: Deps, { email, password, ip }: Login & { ip: string }) {
  const who = { email: emailKey(email), ip };
  const guards = signInGuards(who, { isOwners: await isOwnersAddress(deps, who) });
  for (let judged = 0; judged < MOST_JUDGEMENTS; judged++) {
    const verified = await verify(deps, { guards, email: who.email, password });
    if (!verified.ok) return verified;
    const { user, counted } = verified.value;
    if (!user.active) return refused(deps, user, 'locked-out');
    if (!user.emailConfirmedAt) return refused(deps, user, 'not-confirmed');

    const tokens = await startVerified(deps, { user, password, ip });
    // While the password was checked, the account was given another, or was switched off: it is judged as it is now.
    if (!tokens) continue;
    if (counted.includes(guards.own)) await clearLimits(deps, [guards.own]);
    deps.log.info({ userId: user.id }, 'signed in');
    return ok(tokens);
  }
  return fail('overloaded');
}

/** The account whose password this is, and which of the guards have counted something. */
async function verify(
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
  if (!tried.ok) return tried;
  if (!tried.value.ok && tried.value.code === 'wrong') deps.log.info('sign-in failed');
  return tried.value;
}

async function startVerified(
  deps: Deps,
  { user, password, ip }: { user: UserRow; password: string; ip: string },
): Promise<Tokens | null> {
  const passwordHash = await renewedHash(deps, { user, password });
  return startSession(deps, { userId: user.id, passwordHash, ip });
}

/** The account's hash, made anew where it is of an older kind and the gate has room: the old one is good enough meanwhile. */
async function renewedHash(
  deps: Deps,
  { user, password }: { user: UserRow; password: string },
): Promise<string> {
  if (!isOutdatedHash(user.passwordHash)) return user.passwordHash;
  const made = await hashingGate.run(() => hashPassword(password));
  if (!made.ok) return user.passwordHash;
  const swap = { userId: user.id, from: user.passwordHash, to: made.value };
  return (await swapPasswordHash(deps.db.query, swap)) ? made.value : user.passwordHash;
}

function refused<Code extends string>(deps: Deps, user: UserRow, code: Code) {
  deps.log.info({ userId: user.id, code }, 'sign-in refused');
  return fail(code);
}
