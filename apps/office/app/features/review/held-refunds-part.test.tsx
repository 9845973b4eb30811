import type { Refund } from '@brightpane/contract/office/refunds';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { HeldRefundsPart } from './held-refunds-part.tsx';

const HELD: Refund = {
  refundId: 'one',
  requestId: 'one',
  paymentId: 'one',
  state: 'held',
  words: 'Needs a decision.',
  safeToSendAgain: false,
  method: null,
  amount: 20,
  reason: 'complaint',
  note: null,
  requestedBy: 'Robin Example',
  requestedAt: '2026-11-20T18:00:00Z',
  approvedBy: null,
  approvedAt: null,
  madeAt: null,
  undoneAt: null,
  heldFor: 'unclaimed',
  providerWords: null,
  reference: null,
  card: null,
  retryOf: null,
  customer: { customerNumber: 7, name: 'Ann Lee' },
  timeZone: 'America/Chicago',
  isOwn: false,
  isSent: true,
  isClosed: false,
  lines: [],
};

test.each([
  [null, false],
  ['more', true],
])('with the next page %s, it says that there are more: %s', (next, isSaid) => {
  const words = wordsOf(<HeldRefundsPart held={{ items: [HELD], next }} />);
  expect(words).toContain('Ann Lee');
  expect(words.includes('The oldest 1 are listed. See all held refunds')).toBe(isSaid);
});

test('it names every refund’s office, also with one chosen at the top: it lists those of all', () => {
  const franchises = [
    { franchiseId: 11, name: 'Clearwater Windows', timeZone: 'America/Chicago' },
    { franchiseId: 12, name: 'Bright Harbor', timeZone: 'America/Denver' },
  ];
  const held: Refund = {
    ...HELD,
    lines: [
      {
        franchiseId: 11,
        workOrderNumber: 1042,
        invoice: 20,
        tax: 0,
        services: 0,
        servicesTax: 0,
        tip: 0,
        effect: 'credited',
        dueAgain: 0,
      },
    ],
  };
  const words = wordsOf(<HeldRefundsPart held={{ items: [held], next: null }} />, {
    search: '?franchiseId=12',
    franchises,
  });
  expect(words).toContain('Clearwater Windows');
});
