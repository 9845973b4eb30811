import type { SQL } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';

export async function countRows(db: Queryable, statement: SQL): Promise<number> {
  const [row] = await query<{ count: number }>(db)`SELECT count(*) AS count FROM (${statement}) AS exported`;
  return row?.count ?? 0;
}
