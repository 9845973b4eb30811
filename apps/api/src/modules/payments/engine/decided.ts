import type { StoredOutcome } from './outcomes.ts';

/** What came of a decision. `unmoved`: the payment was not, or no longer, where this event applies; nothing has changed. */
export type Decided =
  | { result: 'applied' }
  | { result: 'unmoved' }
  | { result: 'decided'; outcome: StoredOutcome }
  | { result: 'expired' }
  | { result: 'changed'; workOrderNumber: number; balanceCents: number };
