import { coded, editedMeanwhile, notAllowed } from '../../../http/office.problems.ts';
import type { HttpProblem } from '../../../http/problem.ts';
import { tooManyAttempts } from '../../limits/limits.problems.ts';

type Facts = { retryAfterSeconds?: number };

/** Why somebody wasn't added or changed. */
const PROBLEMS = {
  'not-found': () => coded(404, 'NotFound', 'There is no such person.'),
  'not-allowed': notAllowed,
  'franchise-needed': () =>
    coded(400, 'FranchiseNeeded', 'Please choose at least one franchise.', 'franchiseIds'),
  'no-franchise-wanted': () =>
    coded(400, 'NoFranchise', 'Headquarters see every franchise. Please choose none.', 'franchiseIds'),
  'franchise-unknown': () => coded(404, 'NotFound', 'This franchise is not known.', 'franchiseIds'),
  'email-taken': () =>
    coded(
      409,
      'EmailTaken',
      "This email address belongs to a customer's account. Use another one for the office.",
      'email',
    ),
  'email-switched-off': () =>
    coded(
      409,
      'EmailTaken',
      'The account of this email address was switched off. Have it switched on first, or use another address.',
      'email',
    ),
  'staff-elsewhere': () =>
    coded(
      409,
      'StaffElsewhere',
      'This person works for another office. Ask headquarters to add yours.',
      'email',
    ),
  'already-staff': () => coded(409, 'AlreadyStaff', 'This person works here already.', 'email'),
  'staff-off': () =>
    coded(
      409,
      'AlreadyStaff',
      "This person's access was switched off. Switch it on in the list of staff.",
      'email',
    ),
  'has-access': () =>
    coded(409, 'HasAccess', 'This person needs no link: their access is already set up, or switched off.'),
  'not-yourself': () => coded(409, 'NotYourself', "You can't change your own access. Ask somebody else."),
  'edited-meanwhile': editedMeanwhile,
  'last-admin': () => coded(409, 'LastAdmin', 'There has to be an admin. Make another one first.'),
  'too-many-attempts': ({ retryAfterSeconds = 1 }: Facts) => tooManyAttempts({ retryAfterSeconds }),
} satisfies Record<string, (facts: Facts) => HttpProblem>;

export function peopleProblem(outcome: { code: keyof typeof PROBLEMS } & Facts): HttpProblem {
  return PROBLEMS[outcome.code](outcome);
}
