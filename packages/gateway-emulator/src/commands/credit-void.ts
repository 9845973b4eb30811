import type { Call, Plan } from '../call.ts';
import { findOriginal } from './find-original.ts';
import { refund } from './refund.ts';
import { voidTransaction } from './void.ts';

/** Voids what has not settled and refunds what has: the same key in the answer tells a void. */
export function creditVoid(call: Call): Plan {
  return findOriginal(call)?.status === 'S'
    ? refund(call, false)
    : voidTransaction(call, { releases: false });
}
