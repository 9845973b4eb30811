import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { executePrepared } from '../../db/execute-prepared.ts';

/** Remembers, in the caller's transaction, that a user has accepted the legal terms for these locations. */
export async function acceptLegalTerms(
  tx: Queryable,
  { userId, locationIds }: { userId: string; locationIds: number[] },
): Promise<void> {
  await executePrepared(
    tx,
    sql`
    INSERT INTO user_location (user_id, location_id, legal_accepted_at)
    SELECT ${userId}::uuid, id, clock_timestamp()
      FROM unnest(${sql.param(locationIds)}::bigint[]) AS paid (id) ORDER BY id
    ON CONFLICT (user_id, location_id) DO UPDATE SET
      legal_accepted_at = coalesce(user_location.legal_accepted_at, excluded.legal_accepted_at)`,
  );
}
