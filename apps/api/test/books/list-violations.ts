import { sql } from 'drizzle-orm';
import type { Queryable } from '../../src/db/client.ts';
import type { Violation } from '../../src/modules/payments/books/books.queries.ts';

/** The books' broken invariants. */
export async function listViolations(db: Queryable): Promise<Violation[]> {
  const { rows } = await db.execute<Violation>(sql`SELECT rule, subject FROM invariant_violations LIMIT 100`);
  return rows;
}
