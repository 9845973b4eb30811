import { sqlState } from './client.ts';
import { LostConnection } from './lost-connection.ts';
import { STANDBY_STATES } from './watch-connection.ts';

const LOCKED = new Set(['55P03', '57014', '40001', '40P01']);
const LOST = new Set([
  ...STANDBY_STATES,
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25P03',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'ENOENT',
]);
const LOST_WORDS =
  /connection terminated|timeout exceeded when trying to connect|connection error|connection ended/i;

/**
 * Whether a statement failed because of the database rather than our code. `locked`: others held locks for too long,
 * and nothing was done. `lost`: no connection, primary or resources; a COMMIT in progress may have happened.
 */
export function databaseTrouble(error: unknown): 'locked' | 'lost' | null {
  const state = sqlState(error);
  if (state !== undefined) {
    if (LOCKED.has(state)) return 'locked';
    return LOST.has(state) || state.startsWith('08') || state.startsWith('53') ? 'lost' : null;
  }
  return isLost(error) ? 'lost' : null;
}

function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof LostConnection || LOST_WORDS.test(error.message) || isLost(error.cause);
}
