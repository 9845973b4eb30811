import type { Call, Plan } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import { transactionError } from '../transactions/refusal.ts';
import { chargeCard } from './charge-card.ts';

/** A sale that the bank has approved by phone: its code stands in place of the processor's answer. */
export function postAuth(call: Call): Plan {
  const authcode = textOf(call.body.authcode);
  return authcode === '' ? transactionError(43) : chargeCard(call, 'S', undefined, authcode);
}
