import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Env } from '../env.ts';

const made = new WeakMap<Env, Map<string, [KeyObject, ...KeyObject[]]>>();

/**
 * A key of its own for each purpose, so that what is signed for one is worth nothing for another. Ready for use: Node
 * takes five times as long to sign with plain bytes.
 */
export function deriveKey(env: Env, purpose: string): KeyObject {
  return deriveKeys(env, purpose)[0];
}

/** The same, newest first: what was signed under an older secret is good until that is taken out of the settings. */
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
