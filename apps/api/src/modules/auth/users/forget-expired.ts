import type { Deps } from '../../../deps.ts';
import { removeMailTokensExpiredBefore } from '../mailbox/mail-tokens.queries.ts';
import { removeSessionsExpiredFor } from '../sessions/sessions.queries.ts';
import { removeUnconfirmedUsersMadeBefore } from './users.queries.ts';
import { removeWaitingOffersThatAreOver } from './waiting-offers.queries.ts';

const KEPT_DAYS = 30;
const UNCONFIRMED_DAYS = 7;

/** Removes sessions and mail tokens a month after they ended, accounts unconfirmed for a week, and expired offers. */
export async function forgetExpired(deps: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<void> {
  const daysAgo = (days: number) => new Date(deps.clock().getTime() - days * 86_400_000);
  await removeSessionsExpiredFor(deps.db.query, KEPT_DAYS);
  await removeMailTokensExpiredBefore(deps.db.query, daysAgo(KEPT_DAYS));
  await removeWaitingOffersThatAreOver(deps.db.query);
  const users = await removeUnconfirmedUsersMadeBefore(deps.db.query, daysAgo(UNCONFIRMED_DAYS));
  if (users > 0) deps.log.info({ users }, 'unconfirmed accounts ended');
}
