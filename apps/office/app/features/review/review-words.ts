import type { ReviewDecision } from '@brightpane/contract/office/review-decisions';

const STATES: Record<string, string> = {
  unresolved: 'Hold unclear',
  accepted: 'Not collected',
  reversing: 'Being taken back',
  conflict: 'Another charge has its transaction',
};

/** A charge's state so far, in words. */
export const chargeStateWords = (state: string): string => STATES[state] ?? asWords(state);

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
