import { clientAddress } from '../limits/client-address.ts';
import { cap, type Guard } from '../limits/limit.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

const WRONG_KEYS = cap('wrong API keys from one address', { max: 30, windowSeconds: 60 });

export const wrongKeyGuard = (ip: string): Guard => ({ limit: WRONG_KEYS, of: [clientAddress(ip)] });

export const CODES_A_SIGN_IN = 5;
export const CODES_A_DAY = 30;

const OF_ONE_SIGN_IN = cap('app codes of one sign-in', { max: CODES_A_SIGN_IN, windowSeconds: 600 });
const OF_ONE_PERSON = cap('app codes of one person', { max: 10, windowSeconds: HOUR_SECONDS });
const OF_ONE_PERSON_A_DAY = cap('app codes of one person in a day', {
  max: CODES_A_DAY,
  windowSeconds: DAY_SECONDS,
});

/** Limits codes per started sign-in, and per person by hour and day. */
export const signInCodeGuards = (who: { sessionId: string; staffId: string }): [Guard, Guard, Guard] => [
  { limit: OF_ONE_SIGN_IN, of: [who.sessionId] },
  { limit: OF_ONE_PERSON, of: [who.staffId] },
  { limit: OF_ONE_PERSON_A_DAY, of: [who.staffId] },
];

export const CODES_A_SESSION = 5;
const OF_ONE_SESSION = cap('codes of one session', { max: CODES_A_SESSION, windowSeconds: 600 });

/** Limits codes requested again within a session. */
export const sessionCodeGuard = (sessionId: string): Guard => ({ limit: OF_ONE_SESSION, of: [sessionId] });
