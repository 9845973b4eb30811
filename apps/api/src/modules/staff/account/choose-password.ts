import { SHORTEST_PASSWORD } from '@brightpane/contract/customers/shortest-password';
import { hashingGate } from '../../auth/passwords/hashing-gate.ts';
import { hashPassword } from '../../auth/passwords/password-hash.ts';
import { judgePassword } from '../../auth/passwords/password-policy.ts';

/** Call before doing anything costly. */
export function judgeStaffPassword(password: string, { email }: { email: string }) {
  return judgePassword(password, { email, shortest: SHORTEST_PASSWORD.staff });
}

export function hashStaffPassword(password: string) {
  return hashingGate.run(() => hashPassword(password));
}
