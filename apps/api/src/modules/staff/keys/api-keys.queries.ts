import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { officeApiKey } from '../../../db/schema/staff.ts';

export type ApiKeyRow = typeof officeApiKey.$inferSelect;

export async function findApiKey(db: Queryable, publicId: string): Promise<ApiKeyRow | undefined> {
  const [row] = await db.select().from(officeApiKey).where(eq(officeApiKey.publicId, publicId));
  return row;
}

/** At most once a minute. */
export async function noteApiKeyUsed(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`
    UPDATE office_api_key SET last_used_at = engine_now()
     WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < engine_now() - interval '1 minute')`);
}
