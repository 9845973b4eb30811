import { sql } from 'drizzle-orm';
import type { Deps } from '../../deps.ts';
import { listRecentViolations, type Violation } from './books.queries.ts';

const CHECK_MILLISECONDS = 240_000;

/** Checks that what was paid lately is true to itself, and cries out if it is not. Older payments do not change. */
export async function checkBooks({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const violations = await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT set_config('statement_timeout', ${String(CHECK_MILLISECONDS)}, true)`);
    return listRecentViolations(tx);
  });
  tellOfViolations(log, violations);
}

export function tellOfViolations(log: Deps['log'], violations: Violation[]): void {
  for (const violation of violations) {
    log.error({ ...violation, alert: 'books out of balance' }, 'an invariant is broken');
  }
}
