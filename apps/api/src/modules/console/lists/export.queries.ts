import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';

export async function countRows(db: Queryable, statement: SQL): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*) AS count FROM (${statement}) AS exported`,
  );
  return rows[0]?.count ?? 0;
}
