import { coded } from '../../http/office.problems.ts';
import { HttpProblem } from '../../http/problem.ts';
import type { TooManyAttempts } from '../limits/check-limits.ts';
import { tooManyAttempts } from '../limits/limits.problems.ts';

export const noSuchCustomer = () =>
  new HttpProblem(404, 'There is no customer with this number at this franchise.');
export const staffEmail = () =>
  coded(409, 'StaffEmail', 'This address belongs to staff. Invite another one.', 'email');

export const noInvitation = () => new HttpProblem(404, 'No invitation is waiting for you any more.');

type Refused = { code: 'no-such-customer' | 'staff-email' } | TooManyAttempts;

/** Why nobody was invited. */
export function inviteProblem(refused: Refused): HttpProblem {
  if (refused.code === 'too-many-attempts') return tooManyAttempts(refused);
  return refused.code === 'staff-email' ? staffEmail() : noSuchCustomer();
}
