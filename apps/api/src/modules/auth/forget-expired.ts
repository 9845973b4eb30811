import type { Deps } from '../../deps.ts';
import { removeMailTokensExpiredBefore } from './mail-tokens.queries.ts';
import { removeSessionsExpiredBefore } from './sessions.queries.ts';

const KEPT_DAYS = 30;

/** Removes sessions and mail tokens that have been over for a month. */
export async function forgetExpired(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const date = new Date(deps.clock().getTime() - KEPT_DAYS * 86_400_000);
  await removeSessionsExpiredBefore(deps.db.query, date);
  await removeMailTokensExpiredBefore(deps.db.query, date);
}
