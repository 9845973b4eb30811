import { expect, test } from 'vitest';
import { chargeStateWords, DECISIONS, DECISIONS_OF } from './review-words.ts';

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
    "We look at the provider's list. If it was collected, nothing changes. If not, we give the hold back, and the work orders are due again.",
  ],
] as const)('to %s is offered as "%s", and says what is asked first', (decision, button, asks) => {
  expect(DECISIONS[decision]).toEqual({ button, asks });
});

test.each([
  ['unresolved', 'Hold unclear', ['release', 'close']],
  ['accepted', 'Not collected', ['reverse']],
  ['reversing', 'Being taken back', ['reverse']],
  ['conflict', 'Another charge has its transaction', undefined],
])('a charge that is %s is "%s", and may be decided by %j', (state, words, decisions) => {
  expect([chargeStateWords(state), DECISIONS_OF[state]]).toEqual([words, decisions]);
});
