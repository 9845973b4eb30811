import { HttpProblem } from '../../http/problem.ts';
import { tooManyAttempts } from '../limits/limits.problems.ts';

const OUTCOMES = {
  'link-invalid': () =>
    new HttpProblem(403, 'This link is no longer good. Please open the invoice again for a new one.'),
  'not-found': () => new HttpProblem(404, 'There is no document at this address.'),
  'too-many-attempts': ({ retryAfterSeconds = 1 }: { retryAfterSeconds?: number }) =>
    tooManyAttempts({ retryAfterSeconds }),
};

export function documentProblem(outcome: {
  code: keyof typeof OUTCOMES;
  retryAfterSeconds?: number;
}): HttpProblem {
  return OUTCOMES[outcome.code](outcome);
}

/** The render queue is full. */
export const documentsBusy = () =>
  new HttpProblem(503, 'We are drawing many documents right now. Please try again in a moment.', {
    headers: { 'retry-after': '10' },
  });
