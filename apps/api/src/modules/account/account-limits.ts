import { cap, type Guard } from '../limits/limit.ts';

const DAY_SECONDS = 24 * 3600;

export const MOST_WRONG_PASSWORDS = 10;
/** Only counts: too many wrong passwords end the session rather than refuse an attempt. */
const WRONG_PASSWORDS = cap('wrong current passwords of one session', {
  max: Number.POSITIVE_INFINITY,
  windowSeconds: DAY_SECONDS,
});
const EMAIL_CHANGES = cap('email changes of one account', { max: 3, windowSeconds: DAY_SECONDS });
const DOWNLOADS = cap('downloads of one account', { max: 5, windowSeconds: DAY_SECONDS });

export const wrongPasswordGuard = (sessionId: string): Guard => ({ limit: WRONG_PASSWORDS, of: [sessionId] });
export const emailChangeGuard = (userId: string): Guard => ({ limit: EMAIL_CHANGES, of: [userId] });
export const downloadGuard = (userId: string): Guard => ({ limit: DOWNLOADS, of: [userId] });
