import { coded } from '../../http/office.problems.ts';
import { HttpProblem } from '../../http/problem.ts';
import { tooManyAttempts } from '../limits/limits.problems.ts';

type Facts = { retryAfterSeconds?: number };

/** Every outcome of this module that is not success, and what HTTP answers. */
const PROBLEMS = {
  'key-unknown': () => new HttpProblem(401, 'This key is not known.'),
  'access-held': () =>
    coded(401, 'AccessHeld', 'After a restore, your access has to be confirmed. Ask headquarters.'),
  'too-many-attempts': ({ retryAfterSeconds = 1 }: Facts) => tooManyAttempts({ retryAfterSeconds }),
} satisfies Record<string, (facts: Facts) => HttpProblem>;

export function staffProblem(outcome: { code: keyof typeof PROBLEMS } & Facts): HttpProblem {
  return PROBLEMS[outcome.code](outcome);
}
