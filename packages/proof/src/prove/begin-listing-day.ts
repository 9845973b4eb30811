import type { Database } from '../../../../apps/api/src/db/client.ts';
import { query } from '../../../../apps/api/src/db/query.ts';

/** All runs of an attack together leave more to look for than the listings of one day reach. */
export async function beginListingDay({ db }: { db: Pick<Database, 'query'> }): Promise<void> {
  await query(db.query)`DELETE FROM provider_budget`;
}
