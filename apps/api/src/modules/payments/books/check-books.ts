import type { Deps } from '../../../deps.ts';
import { listRecentViolations, type Violation } from './books.queries.ts';

/** Checks that recent payments are consistent and alerts if they aren't. Older payments don't change. */
export async function checkBooks({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  tellOfViolations(log, await db.transaction(listRecentViolations));
}

export function tellOfViolations(log: Deps['log'], violations: Violation[]): void {
  for (const violation of violations) {
    log.error({ ...violation, alert: 'books out of balance' }, 'an invariant is broken');
  }
}
