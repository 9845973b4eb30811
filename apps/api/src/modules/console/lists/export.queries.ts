import type { SQL } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';

export async function countRows(db: Queryable, statement: SQL): Promise<number> {
  const rows = await query<{ count: number }>(db)`SELECT count(*) AS count FROM (${statement}) AS exported`;
  return onlyRow(rows).count;
}
