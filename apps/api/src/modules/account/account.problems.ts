import { HttpProblem } from '../../http/problem.ts';
import { type AuthRefusal, authProblem, badField } from '../auth/auth.problems.ts';

type Refused = { code: string; undoUntil?: Date };

const conflict = (code: string, description: string, field?: string) =>
  new HttpProblem(409, description, { errors: [{ code, description, ...(field && { field }) }] });

const later = (status: number, code: string, description: string) =>
  new HttpProblem(status, description, {
    errors: [{ code, description }],
    headers: { 'retry-after': '10' },
  });

/** The failures that only this module has, beyond those of signing in. */
const PROBLEMS = {
  'password-mismatch': badField('password', 'PasswordMismatch', 'This is not your current password.'),
  'password-unchanged': badField(
    'newPassword',
    'PasswordUnchanged',
    'Please choose another password than your current one.',
  ),
  'email-unchanged': badField('email', 'EmailUnchanged', 'This is your address already.'),
  'email-changed-lately': ({ undoUntil = new Date() }: Refused) =>
    conflict(
      'EmailChangedLately',
      `You can change your email address again on ${dayAfter(undoUntil)}.`,
      'email',
    ),
  'email-taken': () =>
    conflict(
      'EmailTaken',
      'This address belongs to another account now. Please contact your local office.',
      'email',
    ),
  'payment-in-progress': () =>
    conflict('PaymentInProgress', 'A payment is still under way. Please try again in a minute.'),
  'download-under-way': () =>
    later(429, 'DownloadUnderWay', 'You have a download under way. Wait until it has ended.'),
  'downloads-busy': () =>
    later(503, 'DownloadsBusy', 'Other downloads are under way. Please try again in a moment.'),
  'session-not-found': () => new HttpProblem(404, 'There is no such session.'),
} satisfies Record<string, (refused: Refused) => HttpProblem>;

type AccountRefusal = { code: keyof typeof PROBLEMS; undoUntil?: Date };

export function accountProblem(refused: AccountRefusal | AuthRefusal): HttpProblem {
  return refused.code in PROBLEMS
    ? PROBLEMS[(refused as AccountRefusal).code](refused as AccountRefusal)
    : authProblem(refused as AuthRefusal);
}

/** "December 1, 2026": the first day that lies entirely after `until`, in UTC. */
function dayAfter(until: Date): string {
  const day = new Date(until.getTime() + 86_400_000);
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(day);
}
