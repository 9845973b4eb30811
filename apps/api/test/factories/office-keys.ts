import { randomBytes } from 'node:crypto';
import type { KeyRight } from '@brightpane/contract/office-rights';
import { sql } from 'drizzle-orm';
import { hashToken } from '../../src/crypto/hash-token.ts';
import type { TestApp } from '../build-test-app.ts';

/** Makes a key for one franchise or for all; returns it as an office sees it once. */
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
    VALUES (${publicId}, ${`Key ${publicId}`}, ${hashToken(key)}, ${franchiseId}, ${sql.param(rights)}::text[])`);
  return key;
}

/** Makes office calls with a key of their own. */
export async function makeOfficeCaller(
  portal: TestApp,
  {
    franchiseId = null,
    rights = ['view', 'invite', 'export', 'refund'],
  }: Parameters<typeof makeOfficeKey>[1] = {},
) {
  const key = await makeOfficeKey(portal, { franchiseId, rights });
  return (
    method: 'GET' | 'POST',
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    portal.app.inject({
      method,
      url: `/api/office${path}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
}

export type OfficeCall = Awaited<ReturnType<typeof makeOfficeCaller>>;
