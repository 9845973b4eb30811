import { coded } from '../../../http/office.problems.ts';
import { HttpProblem } from '../../../http/problem.ts';
import { addressLeft, noSuchCustomer, staffEmail } from '../../invitations/invitations.problems.ts';
import type { TooManyAttempts } from '../../limits/check-limits.ts';
import { tooManyAttempts } from '../../limits/limits.problems.ts';

const personNotFound = () => new HttpProblem(404, 'This person does not see this customer.');
const invitationNotFound = () => new HttpProblem(404, 'There is no such invitation.');
const invitationAccepted = () =>
  coded(
    409,
    'AlreadyAccepted',
    'This invitation was accepted already. End the access of the person instead.',
  );
const alreadyConfirmed = () => coded(409, 'AlreadyConfirmed', 'This email address is confirmed already.');
const accountOff = () => coded(409, 'AccountOff', 'This account is switched off.');

const PROBLEMS = {
  'customer-not-found': noSuchCustomer,
  'no-such-customer': noSuchCustomer,
  'person-not-found': personNotFound,
  'invitation-not-found': invitationNotFound,
  accepted: invitationAccepted,
  confirmed: alreadyConfirmed,
  off: accountOff,
  'staff-email': staffEmail,
  'address-left': addressLeft,
};

type Refused = { code: keyof typeof PROBLEMS } | TooManyAttempts;

export const customerProblem = (refused: Refused): HttpProblem =>
  refused.code === 'too-many-attempts' ? tooManyAttempts(refused) : PROBLEMS[refused.code]();
