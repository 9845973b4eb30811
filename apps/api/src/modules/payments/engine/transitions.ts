import type { ChargeState, IntentState } from '../../../db/schema/payments.ts';

/** What can happen to a payment. Each goes through `decide`, whoever saw it: the request, the sweep or a person. */
export type DecisionEvent =
  | 'store-approval'
  | 'accept'
  | 'abandon'
  | 'store-card'
  | 'start-release'
  | 'find-hold'
  | 'find-released'
  | 'find-nothing'
  | 'find-conflict'
  | 'find-capture'
  | 'give-up'
  | 'confirm-release'
  | 'confirm-capture'
  | 'refuse-capture'
  | 'confirm-reversal'
  | 'close';

type Transition = {
  /** The charge's state before, and after. In every other state the event changes nothing. */
  moves: Partial<Record<ChargeState, ChargeState>>;
  /** For the events that decide a payment; they find it undecided or change nothing. */
  payment?: IntentState;
  /** In this order; the payment always comes first. */
  locks: readonly ('payment' | 'invoices' | 'charges' | 'claims')[];
  /** What one commit contains beside the new state. */
  commit: string;
};

/**
 * The table that `decide` keeps to, and that its test compares it with, state by state. `captured`, `capture_failed`,
 * `refused`, `released` and `absent` are ends; `conflict` and `unresolved` wait for a person.
 */
export const TRANSITIONS: Record<DecisionEvent, Transition> = {
  'store-approval': {
    moves: { authorising: 'authorised' },
    locks: ['payment', 'charges'],
    commit: 'key and reference; several accounts only, with one it is part of accept',
  },
  accept: {
    moves: { authorising: 'accepted', authorised: 'accepted' },
    payment: 'accepted',
    locks: ['payment', 'invoices', 'charges', 'claims'],
    commit:
      'all charges of the payment or none; from authorising only with the approval in hand; ledger entries, claims paid, legal terms, receipt, credit notes or their rows, stored answer, capture due now',
  },
  abandon: {
    moves: { authorising: 'abandoned', authorised: 'abandoned' },
    payment: 'abandoned',
    locks: ['payment', 'charges', 'claims'],
    commit:
      'all charges of the payment; refused instead where it is proved that nothing is held; claims freed, stored answer "not charged", look-up or release due',
  },
  'store-card': {
    moves: { authorising: 'abandoned' },
    payment: 'abandoned',
    locks: ['payment', 'charges'],
    commit: 'payments of the kind card only: the card, the key, stored answer "added", release due now',
  },
  'start-release': {
    moves: { abandoned: 'releasing' },
    locks: ['payment', 'charges'],
    commit: 'only where the key is known',
  },
  'find-hold': {
    moves: { abandoned: 'releasing', unresolved: 'releasing' },
    locks: ['payment', 'charges'],
    commit: 'the key; where another charge has it already: conflict',
  },
  'find-released': {
    moves: { abandoned: 'released', unresolved: 'released' },
    locks: ['payment', 'charges'],
    commit: 'the key; where another charge has it already: conflict',
  },
  'find-nothing': {
    moves: { abandoned: 'absent', releasing: 'absent', unresolved: 'absent' },
    locks: ['payment', 'charges'],
    commit: 'nothing else',
  },
  'find-conflict': {
    moves: { abandoned: 'conflict', releasing: 'conflict', unresolved: 'conflict' },
    locks: ['payment', 'charges'],
    commit: 'due for review',
  },
  'find-capture': {
    moves: { abandoned: 'unresolved', releasing: 'unresolved' },
    locks: ['payment', 'charges'],
    commit: 'due for review: somebody captured it by hand, nothing is touched',
  },
  'give-up': {
    moves: { abandoned: 'unresolved', releasing: 'unresolved' },
    locks: ['payment', 'charges'],
    commit: 'due for review, 24 hours after the deadline',
  },
  'confirm-release': {
    moves: { releasing: 'released' },
    locks: ['payment', 'charges'],
    commit: 'nothing else',
  },
  'confirm-capture': {
    moves: { accepted: 'captured', reversing: 'captured' },
    locks: ['payment', 'charges'],
    commit: 'when it was captured',
  },
  'refuse-capture': {
    moves: { accepted: 'reversing' },
    locks: ['payment', 'charges'],
    commit: 'release due now; the invoices still count as paid',
  },
  'confirm-reversal': {
    moves: { reversing: 'capture_failed' },
    locks: ['payment', 'invoices', 'charges'],
    commit:
      'entries reversed, invoices due again, stored answer replaced, unsent receipt cancelled, office and payer told',
  },
  close: {
    moves: { unresolved: 'absent' },
    locks: ['payment', 'charges'],
    commit: 'by a person, with an audit entry',
  },
};
