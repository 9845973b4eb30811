import type { Login, Tokens } from '@brightpane/contract/customers/authentication';
import { USER_TYPE } from '@brightpane/contract/customers/users';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { clearLimits } from '../../limits/check-limits.ts';
import { hashingGate } from '../passwords/hashing-gate.ts';
import { hashPassword, isOutdatedHash } from '../passwords/password-hash.ts';
import { tellFailedSignIn } from '../passwords/tell-failed-sign-in.ts';
import { guardsOfSignIn, verifyPasswordOf } from '../passwords/verify-password-of.ts';
import { emailKey } from '../users/email-key.ts';
import { findStaffState, swapPasswordHash, type UserRow } from '../users/users.queries.ts';
import { startSession } from './start-session.ts';

/** How often to recheck a sign-in whose account keeps changing. */
const MOST_JUDGMENTS = 3;

/**
 * Signs in with email and password. An address without an account takes the same steps as a wrong password, hashing
 * included. Other reasons for refusal are told only to somebody who knows the password.
 */
export async function signIn(
  deps: Deps,
  { email, password, ip, device }: Login & { ip: string; device: string },
) {
  const began = performance.now();
  const who = { email: emailKey(email), ip };
  const guards = await guardsOfSignIn(deps, who);
  for (let judged = 0; judged < MOST_JUDGMENTS; judged++) {
    const verified = await verifyPasswordOf(deps, { guards, email: who.email, password });
    if (!verified.ok) {
      if (verified.code === 'wrong') deps.log.info('sign-in failed');
      return tellFailedSignIn(deps, { guards, failed: verified, began });
    }
    const { user, counted } = verified.value;
    if (!user.active) return refused(deps, user, 'locked-out');
    if (user.userType !== USER_TYPE.user) return refused(deps, user, await staffDoor(deps, user));
    if (!user.emailConfirmedAt) return refused(deps, user, 'not-confirmed');

    const tokens = await startVerified(deps, { user, password, ip, device });
    // The account changed during the check, by a new password or by being switched off, so check again.
    if (!tokens) continue;
    if (counted.includes(guards.own)) await clearLimits(deps, [guards.own]);
    deps.log.info({ userId: user.id }, 'signed in');
    return ok({ userId: user.id, tokens });
  }
  return fail('overloaded');
}

async function startVerified(
  deps: Deps,
  { user, password, ip, device }: { user: UserRow; password: string; ip: string; device: string },
): Promise<Tokens | null> {
  const passwordHash = await renewedHash(deps, { user, password });
  return startSession(deps, { userId: user.id, passwordHash, ip, device });
}

/** Renews an outdated hash if the gate has room; otherwise the old one still works. */
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

/** Staff sign in at the console, with a second factor. */
async function staffDoor(deps: Deps, user: UserRow) {
  return (await findStaffState(deps.db.query, user.id)) === 'off' ? 'locked-out' : 'two-factor';
}
