import { SHORTEST_PASSWORD } from '@brightpane/contract/customers/shortest-password';
import type { ProblemError } from '@brightpane/contract/problem';
import { HttpProblem } from '../../http/problem.ts';
import { tooManyAttempts } from '../limits/limits.problems.ts';

type Facts = { retryAfterSeconds?: number; passwordField?: string };
type Refusals<Code extends string> = Record<Code, (facts: Facts) => HttpProblem>;

const BUSY = 'We are very busy right now. Please try again in a moment.';

/** A failed sign-in carries no code: clients branch on `detail`. */
const signInFailed = (detail: string) => () => new HttpProblem(401, detail);

export const badField = (field: string, code: string, description: string) => () =>
  new HttpProblem(400, description, { errors: [{ code, description, field } satisfies ProblemError] });

/** The call names the field that holds the new password. */
const badPassword =
  (code: string, description: string) =>
  ({ passwordField = 'password' }: Facts) =>
    badField(passwordField, code, description)();

const waits = ({ retryAfterSeconds = 1 }: Facts) => tooManyAttempts({ retryAfterSeconds });

const overloaded = () => new HttpProblem(503, BUSY, { headers: { 'retry-after': '2' } });

const INVALID_TOKEN = 'This link is not valid any more.';

/** Every failure of this module and its HTTP answer. */
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
  'password-too-short': badPassword(
    'PasswordTooShort',
    `Please use at least ${SHORTEST_PASSWORD.account} characters.`,
  ),
  'password-too-long': badPassword('PasswordTooLong', 'Please use at most 128 characters.'),
  'password-too-common': badPassword(
    'PasswordTooCommon',
    'This password is too easy to guess. Please choose another one.',
  ),
  'password-unreadable': badPassword('PasswordUnreadable', 'Please use other characters.'),
} satisfies Refusals<string>;

export type AuthRefusal = { code: keyof typeof PROBLEMS } & Facts;

export function authProblem(outcome: AuthRefusal): HttpProblem {
  return PROBLEMS[outcome.code](outcome);
}
