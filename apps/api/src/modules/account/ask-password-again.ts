import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { guardsInSession } from '../auth/passwords/guessing-limits.ts';
import { hashingGate } from '../auth/passwords/hashing-gate.ts';
import { verifyPassword } from '../auth/passwords/password-hash.ts';
import { guardsOfSignIn, verifyPasswordOf } from '../auth/passwords/verify-password-of.ts';
import { noteEndedSessions } from '../auth/sessions/ended-sessions.ts';
import { endSession } from '../auth/sessions/sessions.queries.ts';
import { findUserById, lockUserById, type UserRow } from '../auth/users/users.queries.ts';
import { clearLimits, countAgainst } from '../limits/check-limits.ts';
import { MOST_WRONG_PASSWORDS, wrongPasswordGuard } from './account-limits.ts';

/** The signed-in user with session and address, and the password they gave. */
export type PasswordAgain = { userId: string; sessionId: string; ip: string; password: string };

/**
 * Checks that whoever uses a session knows its account's password. Wrong guesses count like those at sign-in; ten in a
 * session and day end the session.
 */
export async function askPasswordAgain(deps: Deps, { userId, sessionId, ip, password }: PasswordAgain) {
  const account = await findUserById(deps.db.query, userId);
  if (!account?.active) return fail('ended');
  const { email } = account;
  const guards = guardsInSession(await guardsOfSignIn(deps, { email, ip }));
  const verified = await verifyPasswordOf(deps, { guards, email, password });
  if (!verified.ok) {
    if (verified.code !== 'wrong') return verified;
    await countWrong(deps, { userId, sessionId });
    return fail('password-mismatch');
  }
  const { user, counted } = verified.value;
  // The address passed to another account between the two reads.
  if (user.id !== userId) return fail('password-mismatch');
  if (counted.includes(guards.own)) await clearLimits(deps, [guards.own]);
  deps.log.info({ userId }, 'password asked again');
  return ok(user);
}

/**
 * Locks the account for an act that its password allows. The password was checked without the lock, so refuses if it is
 * another one by now: whoever reset it took the account back. A sign-in may have hashed the same one anew meanwhile.
 */
export async function lockVerified(tx: Queryable, { id, passwordHash }: UserRow, password: string) {
  const user = await lockUserById(tx, id);
  if (!user?.active) return fail('ended');
  if (user.passwordHash === passwordHash) return ok(user);
  const checked = await hashingGate.run(() => verifyPassword(user.passwordHash, password));
  if (!checked.ok) return checked;
  return checked.value ? ok(user) : fail('password-mismatch');
}

/** Counts a wrong password for the session. A right one doesn't reset this count. */
async function countWrong(
  deps: Deps,
  { userId, sessionId }: Pick<PasswordAgain, 'userId' | 'sessionId'>,
): Promise<void> {
  const [wrong = 0] = await countAgainst(deps, [wrongPasswordGuard(sessionId)]);
  deps.log.warn({ userId, sessionId, wrong }, 'password asked again, and wrong');
  if (wrong < MOST_WRONG_PASSWORDS) return;
  await endSession(deps.db.query, sessionId);
  noteEndedSessions(deps);
  deps.log.warn({ userId, sessionId }, 'a session ended after wrong passwords');
}
