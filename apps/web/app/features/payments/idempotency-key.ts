import type { Problem } from '@brightpane/contract/problem';
import { mayBeDone } from '@brightpane/contract/wait-advice';
import type { TextStore } from '@brightpane/ui/browser-storage';
import * as keys from '@brightpane/ui/forms/idempotency-key';

/** The idempotency key of a draft's payment, so that neither a lost answer nor a second press charges twice. */
export function idempotencyKey(draftName: string, draft: unknown, store?: TextStore): string {
  return keys.idempotencyKey(storageKey(draftName), draft, store);
}

/** Makes the next press of Pay a new payment. */
export function renewIdempotencyKey(draftName: string, store?: TextStore): void {
  keys.renewIdempotencyKey(storageKey(draftName), store);
}

/**
 * Whether the payment under this key may have happened, or still may. It may not once the server has said how it
 * ended, or has refused the request as invalid.
 */
export function keepsKey(problem: Problem): boolean {
  if (problem.errors.some(({ code }) => ENDINGS.includes(code))) return false;
  return mayBeDone(problem) || [409, 429].includes(problem.status);
}

const ENDINGS = ['NotCharged', 'CaptureFailed', 'PaidEarlier', 'CheckedEarlier', 'CardDeleted'];

const storageKey = (draftName: string) => `payment.${draftName}`;
