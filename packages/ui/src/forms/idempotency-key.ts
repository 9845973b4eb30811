import { browserStorage, type TextStore } from '../browser-storage.ts';

/**
 * The idempotency key of a draft. It survives a lost answer, a reload and a second press, so that none of them
 * takes effect twice. A changed draft gets a new key. `name` is its place in the browser's storage.
 */
export function idempotencyKey(
  name: string,
  draft: unknown,
  store: TextStore = browserStorage('sessionStorage'),
): string {
  const fingerprint = fingerprintOf(draft);
  const kept = readKept(store.getItem(name));
  if (kept?.fingerprint === fingerprint) return kept.key;
  const key = randomKey();
  store.setItem(name, JSON.stringify({ key, fingerprint }));
  return key;
}

/** Makes the next press a new act. */
export function renewIdempotencyKey(name: string, store: TextStore = browserStorage('sessionStorage')): void {
  store.removeItem(name);
}

function readKept(text: string | null): { key: string; fingerprint: string } | null {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** 128 random bits. `crypto.randomUUID` doesn't exist on pages without https. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** FNV-1a over 64 bits: tells drafts apart without storing names and addresses in the browser. */
function fingerprintOf(draft: unknown): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(JSON.stringify(draft))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16);
}
