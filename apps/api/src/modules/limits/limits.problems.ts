import { HttpProblem } from '../../http/problem.ts';

const TOO_MANY = 'Too many tries.';

/** For whoever has failed too often: says when the next try is looked at. */
export function tooManyAttempts({ retryAfterSeconds }: { retryAfterSeconds: number }): HttpProblem {
  return new HttpProblem(429, TOO_MANY, {
    errors: [{ code: 'TooManyAttempts', description: TOO_MANY }],
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
