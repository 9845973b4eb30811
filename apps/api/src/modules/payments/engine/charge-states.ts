import type { ChargeState } from '../../../db/schema/payments.ts';

const ACCEPTED: readonly ChargeState[] = ['accepted', 'captured', 'reversing'];
const COLLECTED: readonly ChargeState[] = ['accepted', 'captured'];

/** Whether the payment was accepted, and the charge hasn't failed for good. */
export const isAccepted = (state: ChargeState): boolean => ACCEPTED.includes(state);

/** Whether the charge's money is there or on its way. */
export const isCollected = (state: ChargeState): boolean => COLLECTED.includes(state);
