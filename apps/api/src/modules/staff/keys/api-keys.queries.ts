import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';
import { columnsOf } from '../../../db/schema/columns.ts';
import { officeApiKey } from '../../../db/schema/staff.ts';

export type ApiKeyRow = typeof officeApiKey.$inferSelect;

const apiKey = columnsOf(officeApiKey);

export async function findApiKey(db: Queryable, publicId: string): Promise<ApiKeyRow | undefined> {
  const [row] = await query<ApiKeyRow>(db)`
    SELECT ${apiKey} FROM office_api_key WHERE public_id = ${publicId}`;
  return row;
}

/** Writes at most once a minute. */
export async function noteApiKeyUsed(db: Queryable, id: string): Promise<void> {
  await query(db)`
    UPDATE office_api_key SET last_used_at = engine_now()
     WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < engine_now() - interval '1 minute')`;
}

/** Leaves out keys that concern only the operator. */
export async function selectApiKeys(db: Queryable): Promise<ApiKeyRow[]> {
  return query<ApiKeyRow>(db)`
    SELECT ${apiKey} FROM office_api_key WHERE public_id <> 'operator' ORDER BY office_api_key.created_at DESC`;
}

export async function findApiKeyById(db: Queryable, id: string): Promise<ApiKeyRow | undefined> {
  const [row] = await query<ApiKeyRow>(db)`SELECT ${apiKey} FROM office_api_key WHERE id = ${id}`;
  return row;
}

export async function insertApiKey(
  tx: Queryable,
  row: Pick<ApiKeyRow, 'publicId' | 'name' | 'keyHash' | 'franchiseId' | 'rights' | 'createdBy'>,
): Promise<string> {
  const [made] = await query<{ id: string }>(tx)`
    INSERT INTO office_api_key (public_id, name, key_hash, franchise_id, rights, created_by)
    VALUES (${row.publicId}, ${row.name}, ${row.keyHash}, ${row.franchiseId}, ${listOf(row.rights, 'text')}, ${row.createdBy})
    RETURNING id`;
  if (!made) throw new Error('the key was not written');
  return made.id;
}

/** False if it was revoked before. */
export async function markApiKeyRevoked(
  tx: Queryable,
  { id, by }: { id: string; by: string },
): Promise<boolean> {
  const revoked = await query(tx)`
    UPDATE office_api_key SET revoked_at = engine_now(), revoked_by = ${by}
     WHERE id = ${id} AND revoked_at IS NULL RETURNING id`;
  return revoked.length > 0;
}
