import { secretCheck } from '../../../crypto/secret-check.ts';
import type { Env } from '../../../env.ts';

type Setting = 'OFFICE_API_KEY' | 'OPERATOR_KEY';

const checks = new WeakMap<Env, Record<Setting, (given: string) => boolean>>();

/** Whether this is one of a setting's keys; there are several during a rotation. */
export function isSettingsKey(env: Env, setting: Setting, given: string): boolean {
  let known = checks.get(env);
  if (!known) {
    known = { OFFICE_API_KEY: secretCheck(env.OFFICE_API_KEY), OPERATOR_KEY: secretCheck(env.OPERATOR_KEY) };
    checks.set(env, known);
  }
  return known[setting](given);
}
