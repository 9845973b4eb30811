import type { Call, Plan } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import { transactionError } from '../transactions/refusal.ts';
import { chargeCard } from './charge-card.ts';

/** A sale that the bank approved by phone: its code replaces the processor's. */
export function postAuth(call: Call): Plan {
  const authcode = textOf(call.body.authcode);
  return authcode === '' ? transactionError(43) : chargeCard(call, 'S', undefined, authcode);
}
