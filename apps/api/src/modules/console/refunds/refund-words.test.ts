import { expect, test } from 'vitest';
import { HELD_FOR, type HeldFor } from '../../payments/refunds/moves/held-for.ts';
import { refundWords } from './refund-words.ts';

type Told = Parameters<typeof refundWords>[0];

const UNTOLD = {
  method: null,
  waitsFor: null,
  heldFor: null,
  providerWords: null,
  isClosed: false,
  wasSentAgain: false,
  undoneAt: null,
  timeZone: 'America/Chicago',
  lines: [{ behind: null }],
};

const WORDS: [Partial<Told> & Pick<Told, 'state'>, string][] = [
  [{ state: 'requested' }, 'Waits for approval'],
  [{ state: 'waiting', waitsFor: 'settlement' }, 'Waits for settlement'],
  [{ state: 'waiting' }, 'Waits to be sent'],
  [
    { state: 'waiting', lines: [{ behind: null }, { behind: 'another' }] },
    'Waits until another refund of the invoice has ended',
  ],
  [{ state: 'waiting', waitsFor: 'keys' }, 'Waits: the provider refuses our keys'],
  [{ state: 'waiting', waitsFor: 'older-list' }, 'Waits: an older part of the provider’s list is being read'],
  [{ state: 'sending' }, 'Being sent'],
  [{ state: 'unknown' }, 'We asked and have no answer yet. Do not send it again; we are looking.'],
  [{ state: 'made', method: 'refund' }, 'Refunded. Banks show it in 5 to 10 business days.'],
  [{ state: 'made', method: 'void' }, 'Charge voided. It disappears from the statement.'],
  [
    { state: 'made', method: 'refund', undoneAt: '2026-11-22T02:00:00Z' },
    'Undone Nov 21, 2026: the provider took it back.',
  ],
  [
    { state: 'made', method: 'void', undoneAt: '2026-11-22T18:00:00Z' },
    'Undone Nov 22, 2026: the provider took it back.',
  ],
  [
    { state: 'refused', providerWords: 'The card was closed.' },
    'Refused: The card was closed. Nothing went back; pay it back another way.',
  ],
  [
    { state: 'refused' },
    'Refused: The provider does not say why. Nothing went back; pay it back another way.',
  ],
  [{ state: 'not_made' }, 'Not made. Nothing went back. It is safe to send again.'],
  [{ state: 'not_made', isClosed: true }, 'Not made. Nothing went back; it was closed with a note.'],
  [{ state: 'not_made', wasSentAgain: true }, 'Not made. Nothing went back; it was sent again.'],
  [
    { state: 'refused', providerWords: 'The card was closed.', isClosed: true },
    'Refused: The card was closed. Nothing went back; it was closed with a note.',
  ],
  [{ state: 'withdrawn' }, 'Withdrawn. Nothing was sent.'],
  [{ state: 'held' }, 'Needs a decision: its records do not agree.'],
  ...Object.entries(HELD_FOR).map(([heldFor, why]): [Partial<Told> & Pick<Told, 'state'>, string] => [
    { state: 'held', heldFor: heldFor as HeldFor },
    `Needs a decision: ${why}.`,
  ]),
];

test.each(WORDS)('%j is told as "%s"', (refund, words) => {
  expect(refundWords({ ...UNTOLD, ...refund })).toBe(words);
});
