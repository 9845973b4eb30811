import { randomBytes } from 'node:crypto';
import type { KeyRight } from '@brightpane/contract/office-rights';
import { sql } from 'drizzle-orm';
import { hashOfKey } from '../../src/modules/staff/keys/identify-key.ts';
import type { TestApp } from '../build-test-app.ts';

/** A key of one franchise, or of all, as an office is shown it. */
export async function makeOfficeKey(
  { deps }: TestApp,
  {
    franchiseId = null,
    rights = ['view', 'invite', 'import', 'export'],
  }: { franchiseId?: number | null; rights?: KeyRight[] },
): Promise<string> {
  const publicId = randomBytes(4).toString('hex');
  const key = `bpo_${publicId}_${randomBytes(32).toString('base64url')}`;
  await deps.db.query.execute(sql`
    INSERT INTO office_api_key (public_id, name, key_hash, franchise_id, rights)
    VALUES (${publicId}, ${`Key ${publicId}`}, ${hashOfKey(key)}, ${franchiseId}, ${sql.param(rights)}::text[])`);
  return key;
}
