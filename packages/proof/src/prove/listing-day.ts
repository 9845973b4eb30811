import type { Database } from '../../../../apps/api/src/db/client.ts';
import { query } from '../../../../apps/api/src/db/query.ts';

/** How many pages of the provider's lists were read today, of all accounts. */
export async function countListings({ db }: { db: Pick<Database, 'query'> }): Promise<number> {
  const [row] = await query<{ pages: number }>(db.query)`
    SELECT coalesce(sum(listings_in_day), 0)::integer AS pages FROM provider_budget`;
  return row?.pages ?? 0;
}

/** All runs of an attack together leave more to look for than the listings of one day reach. */
export async function beginListingDay({ db }: { db: Pick<Database, 'query'> }): Promise<void> {
  await query(db.query)`DELETE FROM provider_budget`;
}
