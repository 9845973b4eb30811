import { expect, test } from 'vitest';
import { chargeStateWords, DECISIONS, DECISIONS_OF, decidedWords } from './review-words.ts';

test.each([
  [
    'release',
    'Give the hold back',
    "We look at the provider's list. If a hold is there, we give it back. If it was collected, nothing changes.",
  ],
  [
    'close',
    'Close',
    "We look at the provider's list. If a hold is there, nothing changes. If none is there, the charge ends without one. If it was collected, refund it at the provider first.",
  ],
  [
    'reverse',
    'Take the payment back',
    'We ask the provider. If it was collected, nothing changes. If not, we give the hold back, and the work orders are due again.',
  ],
  [
    'collected',
    'It was collected',
    "You have looked in the provider's own console, and the money was collected there. We ask the provider too: if it shows otherwise, nothing changes. If it refuses our keys, we take your word, and the work orders stay paid.",
  ],
  [
    'nothing-taken',
    'Nothing was taken',
    "You have looked in the provider's own console: the payment is voided or expired there, or it isn't there. Void it first if it still stands. We ask the provider too: if it shows that money was collected or may still be, nothing changes. If it refuses our keys, we take your word. Work orders that this payment paid are due again, and the payer hears so.",
  ],
] as const)('to %s is offered as "%s", and says what is asked first', (decision, button, asks) => {
  expect(DECISIONS[decision]).toEqual({ button, asks });
});

test.each([
  ['unresolved', 'Hold unclear', ['release', 'close', 'nothing-taken']],
  ['accepted', 'Not collected', ['reverse', 'collected', 'nothing-taken']],
  ['reversing', 'Being taken back', ['reverse', 'collected', 'nothing-taken']],
  ['conflict', 'Another charge has its transaction', ['nothing-taken']],
])('a charge that is %s is "%s", and may be decided by %j', (state, words, decisions) => {
  expect([chargeStateWords(state), DECISIONS_OF[state]]).toEqual([words, decisions]);
});

test.each([
  ['releasing', 'The hold is being given back.'],
  ['released', 'The hold was given back.'],
  ['conflict', 'Nothing was given back: another charge has this transaction.'],
  ['absent', 'The charge has ended without a payment.'],
  ['reversing', 'It is being taken back. What it paid is due again once the provider shows it.'],
  ['capture_failed', 'It was not collected. What it paid is due again.'],
  ['captured', 'It counts as collected. What it paid stays paid.'],
  ['unresolved', 'The charge is now: Hold unclear.'],
])('a decision that left the charge %s says "%s"', (state, words) => {
  expect(decidedWords(state)).toBe(words);
});
