import { hashingGate } from '../../auth/passwords/hashing-gate.ts';
import { hashPassword } from '../../auth/passwords/password-hash.ts';
import { judgePassword } from '../../auth/passwords/password-policy.ts';

/** Longer than a customer's, because it gives access to other people's data. */
const SHORTEST = 12;

/** Call before doing anything costly. */
export function judgeStaffPassword(password: string, { email }: { email: string }) {
  return judgePassword(password, { email, shortest: SHORTEST });
}

export function hashStaffPassword(password: string) {
  return hashingGate.run(() => hashPassword(password));
}
