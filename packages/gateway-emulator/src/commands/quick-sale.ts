import type { Call, Plan } from '../call.ts';
import { transactionError } from '../transactions/refusal.ts';
import { chargeCard } from './charge-card.ts';
import { findOriginal } from './find-original.ts';

/** A new sale on the card of an earlier transaction, without its CVC. */
export function quickSale(call: Call): Plan {
  const original = findOriginal(call);
  return original
    ? chargeCard(call, 'S', { ok: true, card: original.card, cvc: 'P' })
    : transactionError(20001);
}
