import type { Right } from '@brightpane/contract/office-rights';
import { hashToken } from '../../../crypto/hash-token.ts';
import { isSameInConstantTime } from '../../../crypto/signature.ts';
import type { Deps } from '../../../deps.ts';
import type { KeyCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { limitMisses } from '../../limits/limit-misses.ts';
import { wrongKeyGuard } from '../staff-limits.ts';
import { type ApiKeyRow, findApiKey, noteApiKeyUsed } from './api-keys.queries.ts';
import { isSettingsKey } from './settings-keys.ts';

/** The format shown to an office: `bpo_`, the public id of our row, and the secret. */
const KEY = /^bpo_([A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}$/;

/**
 * Identifies a key's owner. Only the holder of a right key learns what else is wrong with it. A right key that we made
 * has 256 bits, so it works whatever another program at its address does; a key that a person chose may be a guess.
 */
export function identifyKey(deps: Deps, { key, ip }: { key: string; ip: string }) {
  const identify = async () => {
    const row = await findKey(deps, key);
    if (!row || row.revokedAt !== null) return fail('key-unknown');
    if (row.heldAt !== null) return fail('access-held');
    await noteApiKeyUsed(deps.db.query, row.id);
    return ok(callerOf(deps, row));
  };
  const isMiss = (found: Awaited<ReturnType<typeof identify>>) => !found.ok && found.code === 'key-unknown';
  return limitMisses(
    deps,
    {
      guards: [wrongKeyGuard(ip)],
      isMiss,
      hit: async () => {
        const found = KEY.test(key) ? await identify() : undefined;
        return found && !isMiss(found) ? found : undefined;
      },
    },
    identify,
  );
}

async function findKey({ db, env }: Deps, key: string): Promise<ApiKeyRow | undefined> {
  if (isSettingsKey(env, 'OFFICE_API_KEY', key)) return findApiKey(db.query, 'environment');
  if (isSettingsKey(env, 'OPERATOR_KEY', key)) return findApiKey(db.query, 'operator');
  const [, publicId] = KEY.exec(key) ?? [];
  const row = publicId === undefined ? undefined : await findApiKey(db.query, publicId);
  const isRight = row?.keyHash && isSameInConstantTime(row.keyHash, hashToken(key));
  return isRight ? row : undefined;
}

function callerOf(
  { env }: Pick<Deps, 'env'>,
  { id, publicId, name, franchiseId, rights }: ApiKeyRow,
): KeyCaller {
  const isOperator =
    publicId === 'operator' || (publicId === 'environment' && env.NODE_ENV === 'development');
  return {
    kind: 'key',
    id,
    name: `key:${name}`,
    rights: new Set(rights as Right[]),
    isForAll: franchiseId === null,
    isOperator,
  };
}
