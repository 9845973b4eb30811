import type { FastifyRequest } from 'fastify';
import { recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { fail, ok } from '../../../http/result.ts';
import { allOrNothing } from '../../acts/all-or-nothing.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { findApiKeyById, markApiKeyRevoked } from './api-keys.queries.ts';

/** Revokes a key; its next call is refused. */
export function revokeApiKey(
  { db }: Pick<Deps, 'db'>,
  request: FastifyRequest,
  { apiKeyId }: { apiKeyId: string },
) {
  const { caller } = request;
  return allOrNothing(db, async (tx) => {
    const row = await findApiKeyById(tx, apiKeyId);
    if (!row) return fail('not-found');
    await spendStepUp(tx, request);
    if (row.keyHash === null) return fail('settings-key');
    if (!(await markApiKeyRevoked(tx, { id: apiKeyId, by: caller.id }))) return fail('not-found');
    await recordAct(tx, caller, {
      action: 'revoke-api-key',
      subject: `api-key ${apiKeyId}`,
      ...(row.franchiseId !== null && { franchiseId: row.franchiseId }),
      before: { name: row.name, publicId: row.publicId, rights: row.rights },
    });
    return ok(undefined);
  });
}
