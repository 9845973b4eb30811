import { setTimeout as wait } from 'node:timers/promises';
import type { Deps } from '../../../deps.ts';
import { type Failure, ok } from '../../../http/result.ts';
import { checkLimits, type TooManyAttempts } from '../../limits/check-limits.ts';
import type { SignInGuards, WrongPassword } from './guessing-limits.ts';

/** Longer than checking a password takes, unless the instance is very busy. */
export const REFUSAL_MILLISECONDS = 250;

/**
 * What a failed sign-in hears. Past its address's limits, only accounts that were used there are still checked, so that
 * their owners come in; all others are refused. So a wrong password is refused too, after the same time. Otherwise
 * whoever reached the limit could go on asking which emails have an account there.
 */
export async function tellFailedSignIn<Failed extends WrongPassword | Failure<string>>(
  deps: Deps,
  { guards, failed, began }: { guards: SignInGuards; failed: Failed; began: number },
): Promise<Failed | TooManyAttempts> {
  const isWithin = 'isBeyond' in failed && !failed.isBeyond;
  const ofAddress = isWithin ? ok(undefined) : await checkLimits(deps, guards.ofAddress);
  const told = ofAddress.ok ? failed : ofAddress;
  if (told.code === 'too-many-attempts') {
    await wait(Math.max(0, began + REFUSAL_MILLISECONDS - performance.now()));
  }
  return told;
}
