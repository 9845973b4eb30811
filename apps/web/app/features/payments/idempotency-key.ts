import type { Problem } from '@brightpane/contract/problem';
import type { TextStore } from '@brightpane/ui/browser-storage';
import { NO_ANSWER } from '@brightpane/ui/forms/ask-server';
import * as keys from '@brightpane/ui/forms/idempotency-key';

/** The key under which a draft is paid, so that no lost answer and no second press can become a second charge. */
export function idempotencyKey(draftName: string, draft: unknown, store?: TextStore): string {
  return keys.idempotencyKey(storageKey(draftName), draft, store);
}

/** The next press of Pay is a new payment. */
export function renewIdempotencyKey(draftName: string, store?: TextStore): void {
  keys.renewIdempotencyKey(storageKey(draftName), store);
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
