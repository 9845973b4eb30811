import { SHORTEST_PASSWORD } from '@brightpane/contract/customers/shortest-password';
import { coded, signInExpired } from '../../http/office.problems.ts';
import { HttpProblem } from '../../http/problem.ts';
import { authProblem } from '../auth/auth.problems.ts';
import { tooManyAttempts } from '../limits/limits.problems.ts';

type Facts = { retryAfterSeconds?: number };

const CODE_WRONG = 'This code is not right. Enter the code that your app shows now.';
const RECOVERY_CODE_WRONG = 'This recovery code is not right, or was used already. Enter another one.';
const CODE_USED = 'This code was used already. Wait for the next one.';
const LINK = 'This link is not valid any more. Ask for a new one.';

const waits = ({ retryAfterSeconds = 1 }: Facts) => tooManyAttempts({ retryAfterSeconds });
const accessHeld = () =>
  coded(401, 'AccessHeld', 'After a restore, your access has to be confirmed. Ask headquarters.');

/** Every failure of signing in and its HTTP answer. */
const SIGN_IN = {
  wrong: () => coded(401, 'SignInFailed', 'Wrong email or password.'),
  'switched-off': () =>
    coded(401, 'SwitchedOff', 'Your access was switched off. Ask an owner or headquarters.'),
  'access-held': accessHeld,
  'code-wrong': () => coded(401, 'CodeWrong', CODE_WRONG),
  'recovery-code-wrong': () => coded(401, 'CodeWrong', RECOVERY_CODE_WRONG),
  'code-used': () => coded(401, 'CodeUsed', CODE_USED),
  'passkey-failed': () =>
    coded(401, 'PasskeyFailed', 'We could not confirm this passkey. Try again, or use your password.'),
  'sign-in-expired': signInExpired,
  'key-unknown': () => new HttpProblem(401, 'This key is not known.'),
  'too-many-attempts': waits,
  overloaded: () => authProblem({ code: 'overloaded' }),
} satisfies Record<string, (facts: Facts) => HttpProblem>;

/** Within a session, a wrong code is an error of a form field. */
const IN_SESSION = {
  ...SIGN_IN,
  'code-wrong': () => coded(400, 'CodeWrong', CODE_WRONG, 'code'),
  'code-used': () => coded(400, 'CodeUsed', CODE_USED, 'code'),
};

export function signInProblem(outcome: { code: keyof typeof SIGN_IN } & Facts): HttpProblem {
  return SIGN_IN[outcome.code](outcome);
}

export function sessionProblem(outcome: { code: keyof typeof SIGN_IN } & Facts): HttpProblem {
  return IN_SESSION[outcome.code](outcome);
}

const linkProblem = () => coded(400, 'InvalidToken', LINK);

type PasswordOutcome =
  | ({ code: Parameters<typeof authProblem>[0]['code'] } & Facts)
  | { code: 'access-held' };

/** Why a new password, or its link, was refused. */
export function passwordProblem(outcome: PasswordOutcome): HttpProblem {
  if (outcome.code === 'invalid-token') return linkProblem();
  if (outcome.code === 'access-held') return accessHeld();
  if (outcome.code !== 'password-too-short') return authProblem(outcome);
  const words = `Please use at least ${SHORTEST_PASSWORD.staff} characters.`;
  return coded(400, 'PasswordTooShort', words, 'password');
}

export const factorNotFound = () => coded(404, 'NotFound', 'There is no such factor.');
export const lastFactor = () =>
  coded(409, 'LastFactor', 'This is your only second factor. Add another one first.');
export const sessionNotFound = () => coded(404, 'NotFound', 'There is no such session.');
