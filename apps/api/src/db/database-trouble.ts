import { sqlState } from './client.ts';
import { LostConnection } from './lost-connection.ts';
import { STANDBY_STATES } from './watch-connection.ts';

const LOCKED = new Set(['55P03', '57014', '40001', '40P01']);
/** On a connection that stood; one that didn't come about is a `LostConnection`, whatever the code. */
const LOST = new Set([
  ...STANDBY_STATES,
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  '58030',
  '25P03',
  'ECONNABORTED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);
const LOST_WORDS =
  /connection terminated|timeout exceeded when trying to connect|connection error|connection ended/i;

/**
 * Whether a statement failed because of the database rather than our code. `locked`: others held locks for too long,
 * and nothing was done. `lost`: no connection, primary or resources; a COMMIT in progress may have happened.
 */
export function databaseTrouble(error: unknown): 'locked' | 'lost' | null {
  if (anyCause(error, (each) => each instanceof LostConnection)) return 'lost';
  const state = sqlState(error);
  // The driver's own errors have no code. The message of one that has may quote a statement's values.
  if (state === undefined) return anyCause(error, ({ message }) => LOST_WORDS.test(message)) ? 'lost' : null;
  if (LOCKED.has(state)) return 'locked';
  return LOST.has(state) || state.startsWith('08') || state.startsWith('53') ? 'lost' : null;
}

function anyCause(error: unknown, is: (error: Error) => boolean): boolean {
  return error instanceof Error && (is(error) || anyCause(error.cause, is));
}
