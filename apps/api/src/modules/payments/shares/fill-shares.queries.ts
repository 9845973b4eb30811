import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';

/** Fills the next page of payments without shares and entries without a franchise. Returns its size. */
export async function fillSharePage(db: Queryable, { limit }: { limit: number }): Promise<number> {
  const rows = await query<{ lookedAt: number }>(db)`SELECT fill_shares(${limit}) AS "lookedAt"`;
  return onlyRow(rows).lookedAt;
}
