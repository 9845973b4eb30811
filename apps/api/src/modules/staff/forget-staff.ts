import type { Deps } from '../../deps.ts';
import { removeAnswersBefore } from '../acts/answers.queries.ts';
import { removeStepUpsBefore } from '../acts/step-up.queries.ts';
import { removeChallengesBefore } from './passkeys/challenges.queries.ts';
import { removeSessionsBefore } from './sessions/sessions.queries.ts';

const DAY = 86_400_000;
/** When somebody last signed in is told from them. */
const SESSION_DAYS = 400;

/** Removes what signing in and confirming left behind, a day after it was worth anything. */
export async function forgetStaff({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const daysAgo = (days: number) => new Date(clock().getTime() - days * DAY);
  await removeChallengesBefore(db.query, daysAgo(1));
  await removeStepUpsBefore(db.query, daysAgo(1));
  await removeAnswersBefore(db.query, daysAgo(1));
  await removeSessionsBefore(db.query, daysAgo(SESSION_DAYS));
}
