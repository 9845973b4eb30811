import type { Login } from '@brightpane/contract/authentication';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { checkLimits, clearLimits, countAgainst } from '../limits/check-limits.ts';
import { emailKey } from './email-key.ts';
import { addressGuards, ownGuard, strangersGuards } from './guessing-limits.ts';
import { hashingGate } from './hashing-gate.ts';
import { isOwnersAddress } from './known-address.ts';
import { hashPassword, isOutdatedHash, NOBODYS_HASH, verifyPassword } from './password-hash.ts';
import { startSession } from './start-session.ts';
import { findUserByEmail, setPasswordHash, type UserRow } from './users.queries.ts';

/**
 * Signs in with email and password. An address without an account takes the same steps as a wrong password, hashing
 * included; what else may be wrong with an account is said only to somebody who knows its password.
 */
export async function signIn(deps: Deps, { email, password, ip }: Login & { ip: string }) {
  const who = { email: emailKey(email), ip };
  const isOwners = await isOwnersAddress(deps, who);
  const ofThisAccount = ownGuard(who);
  const own = [ofThisAccount, ...addressGuards(ip)];
  const guards = isOwners ? own : [...own, ...strangersGuards(who.email)];

  // Asked before the gate, so that whoever has to wait takes nobody's place in it, and again inside, where only a few
  // tries run at once and so only a few can get past a limit together.
  const allowed = await checkLimits(deps, guards);
  if (!allowed.ok) return allowed;
  const tried = await hashingGate.run(async () => {
    const stillAllowed = await checkLimits(deps, guards);
    if (!stillAllowed.ok) return stillAllowed;
    const user = await findUserByEmail(deps.db.query, who.email);
    if (await verifyPassword(user?.passwordHash ?? NOBODYS_HASH, password)) {
      return ok({ user, counted: stillAllowed.value });
    }
    await countAgainst(deps, guards);
    return fail('wrong');
  });
  if (!tried.ok) return tried;
  const verified = tried.value;
  if (!verified.ok) {
    if (verified.code === 'wrong') deps.log.info('sign-in failed');
    return verified;
  }
  const { user, counted } = verified.value;
  if (!user) return fail('wrong');
  if (!user.active) return refused(deps, user, 'locked-out');
  if (!user.emailConfirmedAt) return refused(deps, user, 'not-confirmed');

  const passwordHash = isOutdatedHash(user.passwordHash) ? await rehashed(password) : null;
  if (passwordHash) await setPasswordHash(deps.db.query, { userId: user.id, passwordHash });
  const tokens = await startSession(deps, { userId: user.id, ip });
  if (counted.includes(ofThisAccount)) await clearLimits(deps, [ofThisAccount]);
  deps.log.info({ userId: user.id }, 'signed in');
  return ok(tokens);
}

function refused<Code extends string>(deps: Deps, user: UserRow, code: Code) {
  deps.log.info({ userId: user.id, code }, 'sign-in refused');
  return fail(code);
}

/** Nothing where the gate is full: the old hash is good enough until the next time. */
async function rehashed(password: string): Promise<string | null> {
  const made = await hashingGate.run(() => hashPassword(password));
  return made.ok ? made.value : null;
}
