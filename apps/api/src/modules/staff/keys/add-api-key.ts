import { randomBytes, randomInt } from 'node:crypto';
import type { KeyRight } from '@brightpane/contract/office-rights';
import type { FastifyRequest } from 'fastify';
import { hashToken } from '../../../crypto/hash-token.ts';
import { recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import { fail, ok } from '../../../http/result.ts';
import { spendStepUp } from '../../acts/spend-step-up.ts';
import { isFranchiseVisible } from '../../acts/visible-franchises.queries.ts';
import { insertApiKey } from './api-keys.queries.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Creates an API key for an office's program and shows it once. */
export async function addApiKey(
  tx: Queryable,
  request: FastifyRequest,
  { name, franchiseId, rights }: { name: string; franchiseId: number | null; rights: KeyRight[] },
) {
  const { caller } = request;
  const isThere = franchiseId === null || (await isFranchiseVisible(tx, { actorId: caller.id, franchiseId }));
  if (!isThere) return fail('franchise-unknown');
  await spendStepUp(tx, request);
  const publicId = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const key = `bpo_${publicId}_${randomBytes(32).toString('base64url')}`;
  const apiKeyId = await insertApiKey(tx, {
    publicId,
    name,
    keyHash: hashToken(key),
    franchiseId,
    rights,
    createdBy: caller.id,
  });
  await recordAct(tx, caller, {
    action: 'add-api-key',
    subject: `api-key ${apiKeyId}`,
    ...(franchiseId !== null && { franchiseId }),
    after: { name, publicId, franchiseId, rights },
  });
  return ok({ apiKeyId, key });
}
