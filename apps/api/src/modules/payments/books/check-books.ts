import type { Deps } from '../../../deps.ts';
import { listRecentViolations, type Violation } from './books.queries.ts';
import { keepViolations } from './known-violations.queries.ts';

/** Checks that recent payments are consistent and alerts if they aren't. Older payments don't change. */
export async function checkBooks({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const violations = await db.transaction(listRecentViolations);
  tellOfViolations(log, violations);
  await keepViolations(db.query, { foundBy: 'check-books', violations, isWhole: true });
}

export function tellOfViolations(log: Deps['log'], violations: Violation[]): void {
  for (const violation of violations) {
    log.error({ ...violation, alert: 'books out of balance' }, 'an invariant is broken');
  }
}
