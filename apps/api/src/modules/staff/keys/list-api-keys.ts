import type { ApiKeys } from '@brightpane/contract/office/staff';
import type { Deps } from '../../../deps.ts';
import { selectApiKeys } from './api-keys.queries.ts';

/** Offices' API keys, including revoked ones. */
export async function listApiKeys({ db }: Pick<Deps, 'db'>): Promise<ApiKeys['items']> {
  const keys = await selectApiKeys(db.query);
  return keys.map((key) => ({
    apiKeyId: key.id,
    publicId: key.publicId,
    name: key.name,
    franchiseId: key.franchiseId,
    rights: key.rights,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    isHeld: key.heldAt !== null,
  }));
}
