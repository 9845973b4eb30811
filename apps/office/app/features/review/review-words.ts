import type { ReviewDecision } from '@brightpane/contract/office/review-decisions';

const STATES: Record<string, string> = {
  unresolved: 'Hold unclear',
  accepted: 'Not collected',
  reversing: 'Being taken back',
  conflict: 'Another charge has its transaction',
};

/** A charge's state so far, in words. */
export const chargeStateWords = (state: string): string => STATES[state] ?? asWords(state);

/** A decision is only the beginning of what the sweep does, which may have gone further by the time of the answer. */
const DECIDED: Record<string, string> = {
  releasing: 'The hold is being given back.',
  released: 'The hold was given back.',
  conflict: 'Nothing was given back: another charge has this transaction.',
  absent: 'The charge has ended without a payment.',
  reversing: 'It is being taken back. What it paid is due again once the provider shows it.',
  capture_failed: 'It was not collected. What it paid is due again.',
  captured: 'It counts as collected. What it paid stays paid.',
};

/** What a decision has done so far, by the state that the charge has now. */
export const decidedWords = (state: string): string =>
  DECIDED[state] ?? `The charge is now: ${chargeStateWords(state)}.`;

/** `not-in-our-books` → `Not in our books`. */
export function asWords(name: string): string {
  const words = name.replaceAll(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a person may decide in each state; the server refuses everything else. */
export const DECISIONS_OF: Record<string, readonly ReviewDecision[]> = {
  unresolved: ['release', 'close', 'nothing-taken'],
  accepted: ['reverse', 'collected', 'nothing-taken'],
  reversing: ['reverse', 'collected', 'nothing-taken'],
  conflict: ['nothing-taken'],
};

/** The button's text, and what the server asks the provider before it changes anything. */
export const DECISIONS: Record<ReviewDecision, { button: string; asks: string }> = {
  release: {
    button: 'Give the hold back',
    asks: "We look at the provider's list. If a hold is there, we give it back. If it was collected, nothing changes.",
  },
  close: {
    button: 'Close',
    asks: "We look at the provider's list. If a hold is there, nothing changes. If none is there, the charge ends without one. If it was collected, refund it at the provider first.",
  },
  reverse: {
    button: 'Take the payment back',
    asks: 'We ask the provider. If it was collected, nothing changes. If not, we give the hold back, and the work orders are due again.',
  },
  collected: {
    button: 'It was collected',
    asks: "You have looked in the provider's own console, and the money was collected there. We ask the provider too: if it shows otherwise, nothing changes. If it refuses our keys, we take your word, and the work orders stay paid.",
  },
  'nothing-taken': {
    button: 'Nothing was taken',
    asks: "You have looked in the provider's own console: the payment is voided or expired there, or it isn't there. Void it first if it still stands. We ask the provider too: if it shows that money was collected or may still be, nothing changes. If it refuses our keys, we take your word. Work orders that this payment paid are due again, and the payer hears so.",
  },
};
