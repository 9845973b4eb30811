import { hkdfSync } from 'node:crypto';
import type { Env } from '../env.ts';

const made = new WeakMap<Env, Map<string, Buffer>>();

/** A key of its own for each purpose, so that what is signed for one is worth nothing for another. */
export function deriveKey(env: Env, purpose: string): Buffer {
  let keys = made.get(env);
  if (!keys) {
    keys = new Map();
    made.set(env, keys);
  }
  let key = keys.get(purpose);
  if (!key) {
    key = Buffer.from(hkdfSync('sha256', env.TOKEN_SECRET, '', `brightpane ${purpose}`, 32));
    keys.set(purpose, key);
  }
  return key;
}
