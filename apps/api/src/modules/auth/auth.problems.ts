import type { ProblemError } from '@brightpane/contract/problem';
import { HttpProblem } from '../../http/problem.ts';
import { tooManyAttempts } from '../limits/limits.problems.ts';

type Refusals<Code extends string> = Record<Code, (facts: { retryAfterSeconds?: number }) => HttpProblem>;

const BUSY = 'We are very busy right now. Please try again in a moment.';

/** A failed sign-in carries no code: clients choose their words by `detail`. */
const signInFailed = (detail: string) => () => new HttpProblem(401, detail);

const badField = (field: string, code: string, description: string) => () =>
  new HttpProblem(400, description, { errors: [{ code, description, field } satisfies ProblemError] });

const waits = ({ retryAfterSeconds = 1 }: { retryAfterSeconds?: number }) =>
  tooManyAttempts({ retryAfterSeconds });

const overloaded = () => new HttpProblem(503, BUSY, { headers: { 'retry-after': '2' } });

const INVALID_TOKEN = 'This link is not valid any more.';

/** Every outcome of this module that is not success, and what HTTP answers. */
const PROBLEMS = {
  wrong: signInFailed('Failed'),
  'not-confirmed': signInFailed('NotAllowed'),
  'locked-out': signInFailed('LockedOut'),
  'two-factor': signInFailed('RequiresTwoFactor'),
  ended: () => new HttpProblem(401, 'Your session has ended. Please sign in again.'),
  'too-many-attempts': waits,
  overloaded,
  'duplicate-email': badField(
    'email',
    'DuplicateEmail',
    'There is an account with this email address already.',
  ),
  'invalid-token': () =>
    new HttpProblem(400, INVALID_TOKEN, { errors: [{ code: 'InvalidToken', description: INVALID_TOKEN }] }),
  'password-too-short': badField('password', 'PasswordTooShort', 'Please use at least 8 characters.'),
  'password-too-long': badField('password', 'PasswordTooLong', 'Please use at most 128 characters.'),
  'password-too-common': badField(
    'password',
    'PasswordTooCommon',
    'This password is too easy to guess. Please choose another one.',
  ),
  'password-unreadable': badField('password', 'PasswordUnreadable', 'Please use other characters.'),
} satisfies Refusals<string>;

export function authProblem(outcome: {
  code: keyof typeof PROBLEMS;
  retryAfterSeconds?: number;
}): HttpProblem {
  return PROBLEMS[outcome.code](outcome);
}
