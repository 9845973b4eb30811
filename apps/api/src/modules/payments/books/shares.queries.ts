import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';

/** Fills the next page of payments without shares and entries without a franchise. Returns its size. */
export async function fillSharePage(db: Queryable, { limit }: { limit: number }): Promise<number> {
  const { rows } = await db.execute<{ lookedAt: number }>(sql`SELECT fill_shares(${limit}) AS "lookedAt"`);
  return rows[0]?.lookedAt ?? 0;
}
