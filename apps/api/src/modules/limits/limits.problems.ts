import { HttpProblem } from '../../http/problem.ts';

const TOO_MANY = 'Too many tries.';

/** Refuses an attempt after too many failures, and tells when to retry. */
export function tooManyAttempts({ retryAfterSeconds }: { retryAfterSeconds: number }): HttpProblem {
  return new HttpProblem(429, TOO_MANY, {
    errors: [{ code: 'TooManyAttempts', description: TOO_MANY }],
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
