import type { StoredOutcome } from './outcomes.ts';

/**
 * The result of a decision. `unmoved`: the event doesn't apply, or no longer applies, to the payment; nothing changed.
 */
export type Decided =
  | { result: 'applied' }
  | { result: 'unmoved' }
  | { result: 'decided'; outcome: StoredOutcome }
  | { result: 'expired' }
  | { result: 'changed'; workOrderNumber: number; balanceCents: number };
