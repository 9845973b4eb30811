import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import type { Violation } from './books.queries.ts';

/** Counts the broken rules; both checks may have found the same one. */
export const brokenRules: SQL = sql`
  (SELECT count(DISTINCT (rule, subject))::integer FROM known_violation)`;

/** The oldest broken rules and what breaks them, a hundred at most. */
export async function listBrokenRules(db: Queryable): Promise<string[]> {
  const rows = await query<{ words: string }>(db)`
    SELECT concat(rule, ': ', subject) AS words FROM known_violation
     GROUP BY rule, subject ORDER BY min(since), rule, subject LIMIT 100`;
  return rows.map(({ words }) => words);
}

/** Stores what a check found. A whole check also forgets what is kept again. */
export async function keepViolations(
  db: Queryable,
  {
    foundBy,
    violations,
    isWhole,
  }: { foundBy: 'check-books' | 'check-all-books'; violations: Violation[]; isWhole: boolean },
): Promise<void> {
  await query(db)`
    WITH found AS (
      SELECT rule, subject FROM jsonb_to_recordset(${JSON.stringify(violations)}::jsonb) AS f (rule text, subject text)
    ), kept AS (
      DELETE FROM known_violation k
       WHERE k.found_by = ${foundBy} AND ${isWhole}
         AND NOT EXISTS (SELECT FROM found f WHERE (f.rule, f.subject) = (k.rule, k.subject))
    )
    INSERT INTO known_violation (found_by, rule, subject) SELECT ${foundBy}, rule, subject FROM found
    ON CONFLICT DO NOTHING`;
}
