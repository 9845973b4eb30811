import type { Deps } from '../../deps.ts';
import { removeAnswersBefore } from '../acts/answers.queries.ts';
import { removeStepUpsBefore } from '../acts/step-up.queries.ts';
import { removeChallengesBefore } from './passkeys/challenges.queries.ts';
import { removeSessionsBefore } from './sessions/sessions.queries.ts';

const DAY_MILLISECONDS = 86_400_000;
/** Kept this long, because the last sign-in is read from the sessions. */
const SESSION_DAYS = 400;

/** Removes leftovers of signing in and confirming, a day after they expire. */
export async function forgetStaff({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const daysAgo = (days: number) => new Date(clock().getTime() - days * DAY_MILLISECONDS);
  await removeChallengesBefore(db.query, daysAgo(1));
  await removeStepUpsBefore(db.query, daysAgo(1));
  await removeAnswersBefore(db.query, daysAgo(1));
  await removeSessionsBefore(db.query, daysAgo(SESSION_DAYS));
}
