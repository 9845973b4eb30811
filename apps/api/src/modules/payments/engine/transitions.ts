import type { ChargeState, IntentState } from '../../../db/schema/payments.ts';
import type { TaskName } from '../../../jobs/task-names.ts';

/** Where an event leaves a charge, and when to look at it next. */
export type Arrival = {
  to: ChargeState;
  /** `once-listed`: now if its transaction is known, else as soon as the provider's list may show it. */
  next: 'now' | 'once-listed' | 'by-a-person' | 'never';
};

export type Transition = Arrival & {
  /** In any other state the event changes nothing. */
  from: readonly ChargeState[];
  /** Where the event leaves it instead, under the condition `where`. */
  or?: Arrival & { where: string };
  /** Applies only to a charge whose transaction is known. */
  onlyWithKey?: true;
  stamps?: 'accepted_at' | 'captured_at';
  /**
   * What the payment has to be. `in-time`: undecided and before its deadline. `decided`: until then the request may
   * still accept the payment, so nobody else may touch its charges.
   */
  while: 'in-time' | 'undecided' | 'decided';
  /** The payment's state afterwards; `or`: if the card was declined. */
  decides?: { to: IntentState; or?: IntentState };
  /** Locked in this order before anything is read; the change itself locks what else it writes. */
  locks: readonly ('payment' | 'invoices')[];
  /** The task that continues with a charge that is due at once. */
  wakes?: TaskName;
  /** What the commit holds besides the new state. */
  commit: string;
  /** The move is the whole commit, so it is one statement; with a person's audit entry, it is a transaction. */
  isAlone?: true;
};

/**
 * Everything that can happen to a payment, whether the request, the sweep or a person observed it. `decide` executes
 * this table. `captured`, `capture_failed`, `refused`, `released` and `absent` are final.
 */
export const TRANSITIONS = {
  'store-approval': {
    from: ['authorising'],
    to: 'authorised',
    next: 'never',
    while: 'in-time',
    locks: ['payment'],
    commit: 'the transaction; of several accounts only, as with one it is part of accept',
  },
  accept: {
    from: ['authorising', 'authorised'],
    to: 'accepted',
    next: 'now',
    stamps: 'accepted_at',
    while: 'in-time',
    decides: { to: 'accepted' },
    locks: ['payment', 'invoices'],
    wakes: 'sweep-charges',
    commit:
      'all charges of the payment or none; from authorising only with the approval in hand; ledger entries, claims paid, legal terms, receipt, credit notes or their rows, stored answer',
  },
  abandon: {
    from: ['authorising', 'authorised'],
    to: 'abandoned',
    next: 'once-listed',
    or: { where: 'nothing is held, which is proved', to: 'refused', next: 'never' },
    while: 'undecided',
    decides: { to: 'abandoned', or: 'declined' },
    locks: ['payment'],
    wakes: 'sweep-charges',
    commit: 'all charges of the payment; claims freed, stored answer "not charged"',
  },
  'store-card': {
    from: ['authorising'],
    to: 'abandoned',
    next: 'now',
    while: 'in-time',
    decides: { to: 'abandoned' },
    locks: ['payment'],
    wakes: 'sweep-charges',
    commit: 'payments of the kind card only: the card, the transaction, stored answer "added"',
  },
  'start-release': {
    from: ['abandoned'],
    to: 'releasing',
    next: 'now',
    onlyWithKey: true,
    while: 'decided',
    locks: ['payment'],
    commit: 'only where the transaction is known',
    isAlone: true,
  },
  'find-hold': {
    from: ['abandoned', 'unresolved'],
    to: 'releasing',
    next: 'now',
    or: { where: "the transaction is another charge's", to: 'conflict', next: 'by-a-person' },
    while: 'decided',
    locks: ['payment'],
    wakes: 'sweep-charges',
    commit: 'the transaction',
  },
  'find-released': {
    from: ['abandoned', 'unresolved'],
    to: 'released',
    next: 'never',
    or: { where: "the transaction is another charge's", to: 'conflict', next: 'by-a-person' },
    while: 'decided',
    locks: ['payment'],
    commit: 'the transaction',
  },
  'find-nothing': {
    from: ['abandoned', 'releasing', 'unresolved'],
    to: 'absent',
    next: 'never',
    while: 'decided',
    locks: ['payment'],
    commit: 'nothing else',
    isAlone: true,
  },
  'find-conflict': {
    from: ['abandoned', 'releasing', 'unresolved'],
    to: 'conflict',
    next: 'by-a-person',
    while: 'decided',
    locks: ['payment'],
    commit: 'nothing else',
    isAlone: true,
  },
  'find-capture': {
    from: ['abandoned', 'releasing'],
    to: 'unresolved',
    next: 'by-a-person',
    while: 'decided',
    locks: ['payment'],
    commit: 'nothing else: somebody captured it by hand',
    isAlone: true,
  },
  'give-up': {
    from: ['abandoned', 'releasing'],
    to: 'unresolved',
    next: 'by-a-person',
    while: 'decided',
    locks: ['payment'],
    commit: 'nothing else, 24 hours after the deadline and an hour after a person could see it',
    isAlone: true,
  },
  'confirm-release': {
    from: ['releasing'],
    to: 'released',
    next: 'never',
    while: 'decided',
    locks: ['payment'],
    commit: 'nothing else',
    isAlone: true,
  },
  'confirm-capture': {
    from: ['accepted', 'reversing'],
    to: 'captured',
    next: 'never',
    stamps: 'captured_at',
    while: 'decided',
    locks: ['payment'],
    commit: 'when it was captured',
    isAlone: true,
  },
  'refuse-capture': {
    from: ['accepted'],
    to: 'reversing',
    next: 'now',
    while: 'decided',
    locks: ['payment'],
    wakes: 'sweep-charges',
    commit: 'nothing else: the invoices still count as paid',
    isAlone: true,
  },
  'confirm-reversal': {
    from: ['reversing'],
    to: 'capture_failed',
    next: 'never',
    while: 'decided',
    locks: ['payment', 'invoices'],
    commit:
      'entries reversed, invoices due again, stored answer replaced, unsent receipt and credit notes canceled, office and payer told',
  },
  close: {
    from: ['unresolved', 'conflict'],
    to: 'absent',
    next: 'never',
    while: 'decided',
    locks: ['payment'],
    commit: 'an audit entry: it is a person who closes',
  },
} as const satisfies Record<string, Transition>;

export type DecisionEvent = keyof typeof TRANSITIONS;

/** Events that the sweep or a person observes on one charge once its payment is decided. */
export type ChargeEvent = {
  [Event in DecisionEvent]: (typeof TRANSITIONS)[Event]['while'] extends 'decided' ? Event : never;
}[DecisionEvent];

export const transitionOf = (event: DecisionEvent): Transition => TRANSITIONS[event];
