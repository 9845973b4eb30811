import type { Call, Plan } from '../call.ts';
import { findOriginal } from './find-original.ts';
import { refund } from './refund.ts';
import { voidTransaction } from './void.ts';

/** Voids an unsettled sale and refunds a settled one. A void's answer has the same key. */
export function creditVoid(call: Call): Plan {
  return findOriginal(call)?.status === 'S'
    ? refund(call, false)
    : voidTransaction(call, { releases: false });
}
