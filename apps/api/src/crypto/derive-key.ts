import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Env } from '../env.ts';

const made = new WeakMap<Env, Map<string, [KeyObject, ...KeyObject[]]>>();

/**
 * Derives a separate key for each purpose, so that a signature for one is worthless for another. Returned as a
 * KeyObject: signing with plain bytes takes Node five times as long.
 */
export function deriveKey(env: Env, purpose: string): KeyObject {
  return deriveKeys(env, purpose)[0];
}

/**
 * All of a purpose's keys, newest first: signatures of an older secret stay valid until it is
 * removed from the settings.
 */
export function deriveKeys(env: Env, purpose: string): readonly [KeyObject, ...KeyObject[]] {
  let purposes = made.get(env);
  if (!purposes) {
    purposes = new Map();
    made.set(env, purposes);
  }
  let keys = purposes.get(purpose);
  if (!keys) {
    const [newest, ...older] = env.TOKEN_SECRET.map((secret) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `brightpane ${purpose}`, 32))),
    );
    if (!newest) throw new Error('there is no token secret');
    keys = [newest, ...older];
    purposes.set(purpose, keys);
  }
  return keys;
}
