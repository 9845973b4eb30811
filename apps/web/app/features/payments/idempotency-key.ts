import type { Problem } from '@brightpane/contract/problem';
import { NO_ANSWER } from '@brightpane/ui/ask-server';
import { browserStorage, type TextStore } from '@brightpane/ui/browser-storage';

/**
 * The key under which a draft is paid. It outlives a lost answer, a reload and a second press of Pay, so that none of
 * them can become a second charge; another draft gets another key.
 */
export function idempotencyKey(
  draftName: string,
  draft: unknown,
  store: TextStore = browserStorage('sessionStorage'),
): string {
  const fingerprint = fingerprintOf(draft);
  const kept = readKept(store.getItem(storageKey(draftName)));
  if (kept?.fingerprint === fingerprint) return kept.key;
  const key = randomKey();
  store.setItem(storageKey(draftName), JSON.stringify({ key, fingerprint }));
  return key;
}

/** The next press of Pay is a new payment. */
export function renewIdempotencyKey(
  draftName: string,
  store: TextStore = browserStorage('sessionStorage'),
): void {
  store.removeItem(storageKey(draftName));
}

/**
 * Whether the payment under this key may still have happened, or may yet. Only a server that says how it ended, or that
 * refused the request for what it asked, has decided it.
 */
export function keepsKey(problem: Problem): boolean {
  if (problem.errors.some(({ code }) => ENDINGS.includes(code))) return false;
  return [NO_ANSWER, 409, 429].includes(problem.status) || problem.status >= 500;
}

const ENDINGS = ['NotCharged', 'CaptureFailed', 'PaidEarlier'];

const storageKey = (draftName: string) => `payment.${draftName}`;

function readKept(text: string | null): { key: string; fingerprint: string } | null {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** 128 random bits. Not `crypto.randomUUID`, which pages without https do not have. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** FNV-1a over 64 bits: tells drafts apart without leaving names and addresses in the browser's storage. */
function fingerprintOf(draft: unknown): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(JSON.stringify(draft))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16);
}
