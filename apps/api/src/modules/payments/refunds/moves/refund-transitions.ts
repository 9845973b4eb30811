import type { RefundState } from '../../../../db/schema/refunds.ts';
import type { TaskName } from '../../../../jobs/task-names.ts';

export type RefundTransition = {
  /** In any other state the event changes nothing. */
  from: readonly RefundState[];
  /** `as-before`: the state stays. */
  to: RefundState | 'as-before';
  /**
   * Sends a held row that was never sent back to where it began: awaiting approval if it still needs one, else waiting.
   */
  unsent?: 'where-it-began';
  /** Applies only to rows that were sent, or only to rows that weren't. */
  only?: 'sent' | 'unsent';
  /** When to look at it again. `as-told`: after the given number of seconds. */
  next: 'now' | 'at-its-deadline' | 'as-told' | 'by-a-person' | 'never' | 'as-before';
  /** Locked in this order before anything is read. `sends`: what is decided about sending refunds of its invoices. */
  locks: readonly ('payment' | 'sends' | 'invoices')[];
  /** Undoes what `send` wrote, except for how long a void may still land. */
  unsends?: true;
  stamps?: 'made_at' | 'undone_at';
  /** Applies only to a row that wasn't undone. */
  once?: true;
  tells?: 'payer' | 'requester';
  wakes?: TaskName;
  /** What the commit holds besides the new state and its audit entry. */
  commit: string;
};

/**
 * Everything that can happen to a refund after its request, whether the sweep, the payment's own end or a person
 * observed it. `decideRefund` executes this table. `made`, `refused`, `not_made` and `withdrawn` are final.
 */
export const REFUND_TRANSITIONS = {
  approve: {
    from: ['requested'],
    to: 'waiting',
    next: 'now',
    locks: ['payment'],
    wakes: 'sweep-refunds',
    commit: 'the approval; of all refunds of the request',
  },
  withdraw: {
    from: ['requested', 'waiting', 'held'],
    only: 'unsent',
    to: 'withdrawn',
    next: 'never',
    locks: ['payment'],
    commit: 'nothing else: the rest is free again',
  },
  expire: {
    from: ['requested'],
    to: 'withdrawn',
    next: 'never',
    locks: ['payment'],
    tells: 'requester',
    commit: 'mail to the requester; the rest is free again',
  },
  drop: {
    from: ['requested', 'waiting', 'held'],
    only: 'unsent',
    to: 'withdrawn',
    next: 'never',
    locks: ['payment'],
    tells: 'requester',
    commit: 'inside the commit in which its charge is not collected after all; mail to the requester',
  },
  send: {
    from: ['waiting'],
    to: 'sending',
    next: 'at-its-deadline',
    locks: ['payment', 'sends'],
    commit: 'method, known refunds of the order, deadline; all that bars it is read again under the locks',
  },
  'store-answer': {
    from: ['sending', 'unknown'],
    to: 'as-before',
    next: 'as-before',
    locks: ['payment'],
    commit: 'the key of the answer: without invoice locks, so that a long import cannot cost us the key',
  },
  confirm: {
    from: ['sending', 'unknown'],
    to: 'made',
    next: 'never',
    stamps: 'made_at',
    locks: ['payment', 'invoices'],
    tells: 'payer',
    commit: "the transaction, whose it is, ledger entries, invoice sums, payer's mail",
  },
  adopt: {
    from: ['held'],
    to: 'made',
    next: 'never',
    stamps: 'made_at',
    locks: ['payment', 'invoices'],
    tells: 'payer',
    commit: 'as confirm: it is a person who says so',
  },
  lose: {
    from: ['sending'],
    to: 'unknown',
    next: 'as-told',
    locks: ['payment'],
    commit: 'nothing else',
  },
  'not-executed': {
    from: ['sending', 'unknown'],
    to: 'waiting',
    unsends: true,
    next: 'as-told',
    locks: ['payment'],
    commit: 'what send wrote is taken back',
  },
  'batch-closed': {
    from: ['sending', 'unknown'],
    to: 'waiting',
    unsends: true,
    next: 'as-told',
    locks: ['payment'],
    commit: 'what send wrote is taken back, but for how long the void may land',
  },
  refuse: {
    from: ['sending'],
    to: 'refused',
    next: 'never',
    locks: ['payment'],
    tells: 'requester',
    commit: "the provider's words, mail to the requester",
  },
  'rule-out': {
    from: ['unknown', 'held'],
    only: 'sent',
    to: 'not_made',
    next: 'never',
    locks: ['payment'],
    tells: 'requester',
    commit: 'mail to the requester',
  },
  hold: {
    from: ['requested', 'waiting', 'sending', 'unknown'],
    to: 'held',
    next: 'by-a-person',
    locks: ['payment'],
    tells: 'requester',
    commit: 'why, mail to the requester; requested and sending after a restore only',
  },
  'keep-asking': {
    from: ['held'],
    to: 'unknown',
    unsent: 'where-it-began',
    next: 'now',
    locks: ['payment'],
    wakes: 'sweep-refunds',
    commit: 'what held it is known from now on; one that was sent is asked for for another day',
  },
  undo: {
    from: ['made'],
    to: 'as-before',
    stamps: 'undone_at',
    once: true,
    next: 'as-before',
    locks: ['payment', 'invoices'],
    tells: 'payer',
    commit:
      "entries reversed, sums back, the transaction is nobody's, unsent mail of it canceled, mail to the payer",
  },
} as const satisfies Record<string, RefundTransition>;

export type RefundEvent = keyof typeof REFUND_TRANSITIONS;

export const refundTransitionOf = (event: RefundEvent): RefundTransition => REFUND_TRANSITIONS[event];
