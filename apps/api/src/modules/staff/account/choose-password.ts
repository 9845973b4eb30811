import { hashingGate } from '../../auth/passwords/hashing-gate.ts';
import { hashPassword } from '../../auth/passwords/password-hash.ts';
import { judgePassword } from '../../auth/passwords/password-policy.ts';

/** Longer than a customer's: it opens other people's things. */
const SHORTEST = 12;

/** Judged before anything costly is done for it. */
export function judgeStaffPassword(password: string, { email }: { email: string }) {
  return judgePassword(password, { email, shortest: SHORTEST });
}

export function hashStaffPassword(password: string) {
  return hashingGate.run(() => hashPassword(password));
}
