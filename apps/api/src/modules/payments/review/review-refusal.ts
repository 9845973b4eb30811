import type { Failure, Success } from '../../../http/result.ts';
import type { ChargeDecision } from '../engine/decide-charge.ts';

/** Why a person's decision was refused. Nothing changed. */
export type ReviewRefusal =
  | 'not-in-review'
  | 'busy'
  | 'not-for-this-state'
  | 'no-hold'
  | 'captured'
  | 'not-collected'
  | 'still-held'
  | 'records-unclear';

/** What a decision does to its charge. */
export type Plan = Success<ChargeDecision> | Failure<ReviewRefusal>;
