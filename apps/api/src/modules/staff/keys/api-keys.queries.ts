import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { officeApiKey } from '../../../db/schema/staff.ts';

export type ApiKeyRow = typeof officeApiKey.$inferSelect;

export async function findApiKey(db: Queryable, publicId: string): Promise<ApiKeyRow | undefined> {
  const [row] = await db.select().from(officeApiKey).where(eq(officeApiKey.publicId, publicId));
  return row;
}

/** Writes at most once a minute. */
export async function noteApiKeyUsed(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`
    UPDATE office_api_key SET last_used_at = engine_now()
     WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < engine_now() - interval '1 minute')`);
}

/** Leaves out keys that concern only the operator. */
export async function selectApiKeys(db: Queryable): Promise<ApiKeyRow[]> {
  return db
    .select()
    .from(officeApiKey)
    .where(ne(officeApiKey.publicId, 'operator'))
    .orderBy(desc(officeApiKey.createdAt));
}

export async function findApiKeyById(db: Queryable, id: string): Promise<ApiKeyRow | undefined> {
  const [row] = await db.select().from(officeApiKey).where(eq(officeApiKey.id, id));
  return row;
}

export async function insertApiKey(tx: Queryable, row: typeof officeApiKey.$inferInsert): Promise<string> {
  const [made] = await tx.insert(officeApiKey).values(row).returning({ id: officeApiKey.id });
  if (!made) throw new Error('the key was not written');
  return made.id;
}

/** False if it was revoked before. */
export async function markApiKeyRevoked(
  tx: Queryable,
  { id, by }: { id: string; by: string },
): Promise<boolean> {
  const revoked = await tx
    .update(officeApiKey)
    .set({ revokedAt: sql`engine_now()`, revokedBy: by })
    .where(and(eq(officeApiKey.id, id), isNull(officeApiKey.revokedAt)))
    .returning({ id: officeApiKey.id });
  return revoked.length > 0;
}
