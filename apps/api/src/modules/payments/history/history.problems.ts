import { HttpProblem } from '../../../http/problem.ts';
import { cursorUnknown } from '../../console/lists/lists.problems.ts';
import { tooManyAttempts } from '../../limits/limits.problems.ts';
import { locationNotFound } from '../../locations/locations.problems.ts';

const PROBLEMS = {
  'cursor-unknown': () => cursorUnknown(),
  'location-not-found': () => locationNotFound(),
  // The same for somebody else's payment as for one that doesn't exist.
  'payment-not-found': () => new HttpProblem(404, 'Payment not found'),
  'too-many-attempts': ({ retryAfterSeconds = 1 }: { retryAfterSeconds?: number }) =>
    tooManyAttempts({ retryAfterSeconds }),
};

export function historyProblem(outcome: {
  code: keyof typeof PROBLEMS;
  retryAfterSeconds?: number;
}): HttpProblem {
  return PROBLEMS[outcome.code](outcome);
}
