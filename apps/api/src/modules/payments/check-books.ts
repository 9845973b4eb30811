import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';

/** A rule of the books, and what breaks it. */
export type Violation = { rule: string; subject: string };

export async function listViolations(db: Queryable): Promise<Violation[]> {
  const { rows } = await db.execute<Violation>(sql`SELECT rule, subject FROM invariant_violations LIMIT 100`);
  return rows;
}

const CHECK_MILLISECONDS = 240_000;

/** Checks that the books are true to themselves, and cries out if they are not. */
export async function checkBooks({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const violations = await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT set_config('statement_timeout', ${String(CHECK_MILLISECONDS)}, true)`);
    return listViolations(tx);
  });
  for (const violation of violations) {
    log.error({ ...violation, alert: 'books out of balance' }, 'an invariant is broken');
  }
}
