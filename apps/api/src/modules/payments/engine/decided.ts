import type { StoredAnswer } from './stored-answer.ts';

/** What came of a decision. `unmoved`: the payment was not, or no longer, where this event applies; nothing has changed. */
export type Decided =
  | { result: 'applied' }
  | { result: 'unmoved' }
  | { result: 'decided'; answer: StoredAnswer }
  | { result: 'expired' }
  | { result: 'changed'; workOrderNumber: number; balanceCents: number };
