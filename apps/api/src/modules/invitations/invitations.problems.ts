import { coded } from '../../http/office.problems.ts';
import { HttpProblem } from '../../http/problem.ts';
import type { TooManyAttempts } from '../limits/check-limits.ts';
import { tooManyAttempts } from '../limits/limits.problems.ts';

export const noSuchCustomer = () =>
  new HttpProblem(404, 'There is no customer with this number at this franchise.');
export const staffEmail = () =>
  coded(409, 'StaffEmail', 'This address belongs to staff. Invite another one.', 'email');

export const addressLeft = () =>
  coded(
    409,
    'AddressLeft',
    'An account was moved from this address to another in the last seven days. Ask the person for the address to use, and invite that.',
    'email',
  );

export const noInvitation = () => new HttpProblem(404, 'No invitation is waiting for you any more.');

const PROBLEMS = {
  'no-such-customer': noSuchCustomer,
  'staff-email': staffEmail,
  'address-left': addressLeft,
};

type Refused = { code: keyof typeof PROBLEMS } | TooManyAttempts;

/** Why nobody was invited. */
export const inviteProblem = (refused: Refused): HttpProblem =>
  refused.code === 'too-many-attempts' ? tooManyAttempts(refused) : PROBLEMS[refused.code]();
