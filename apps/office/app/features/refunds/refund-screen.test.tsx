import type { RefundPage } from '@brightpane/contract/office/refunds';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { RefundScreen } from './refund-screen.tsx';

const REFUND: RefundPage = {
  refundId: '0b0f5a51-44b5-4a37-9b1a-0d3c2f6f1a01',
  requestId: '0b0f5a51-44b5-4a37-9b1a-0d3c2f6f1a02',
  paymentId: '0b0f5a51-44b5-4a37-9b1a-0d3c2f6f1a03',
  state: 'waiting',
  words: 'Waits to be sent',
  safeToSendAgain: false,
  method: null,
  amount: 50,
  reason: 'complaint',
  note: null,
  requestedBy: 'Robin Example',
  requestedAt: '2026-11-21T20:06:00Z',
  ...{ approvedBy: null, approvedAt: null, madeAt: null, undoneAt: null, heldFor: null },
  ...{ providerWords: null, reference: null, card: null, retryOf: null },
  customer: { customerNumber: 501, name: 'Ana Ruiz' },
  timeZone: 'America/Chicago',
  ...{ isOwn: false, isSent: false, isClosed: false },
  lines: [],
  waitsForRefundId: null,
  payerEmail: 'ana@example.com',
  timeline: [],
};

const shown = (given: Partial<RefundPage>) => wordsOf(<RefundScreen refund={{ ...REFUND, ...given }} />);

test.each(['requested', 'waiting', 'sending', 'unknown', 'held'] as const)(
  'a refund that is %s says whom a mail will tell of it',
  (state) => {
    expect(shown({ state })).toContain('once the provider’s record shows it');
    expect(shown({ state, payerEmail: null })).toContain('nobody is told by mail');
  },
);

test.each(['made', 'refused', 'not-made', 'withdrawn'] as const)(
  'a refund that is %s announces no mail any more',
  (state) => {
    expect(shown({ state })).not.toContain('Mail');
  },
);

test('a refund names the zone of its times', () => {
  expect(shown({ timeZone: 'America/Denver' })).toContain('Times: Denver (America/Denver)');
});

test('a refund that waits for another one leads to it, and says what happens then', () => {
  const waitsForRefundId = '0b0f5a51-44b5-4a37-9b1a-0d3c2f6f1a04';
  expect(shown({ waitsForRefundId })).toContain(
    'If the other refund comes to nothing, this one is sent by itself.',
  );
  expect(shown({})).not.toContain('the other refund');
});

const together = (
  ...each: [amount: number, state: 'requested' | 'withdrawn'][]
): RefundPage['requested'] => ({
  amount: each.reduce((sum, [amount]) => sum + amount, 0),
  toApprove: each.reduce((sum, [amount, state]) => sum + (state === 'requested' ? amount : 0), 0),
  refunds: each.map(([amount, state], index) => ({
    refundId: index === 0 ? REFUND.refundId : `0b0f5a51-44b5-4a37-9b1a-0d3c2f6f1b0${index}`,
    amount,
    state,
    words: 'Waits for approval',
  })),
});

test('a refund shows what was asked for together with it', () => {
  const requested = together([50, 'requested'], [900, 'requested']);
  expect(shown({ state: 'requested', requested })).toContain(
    'Together 2 refunds, $950.00 in all $50.00: this refund $900.00 : Waits for approval',
  );
  expect(shown({ requested: together([50, 'requested']) })).not.toContain('in all');
  expect(shown({})).not.toContain('in all');
});

test('a held refund names the payment itself as voided only where that is known', () => {
  const sale = { transactionKey: 'key', amount: 50, isSale: true, createdOn: null, clerk: '' };
  const withSale = (isVoided: boolean) => shown({ state: 'held', candidates: [{ ...sale, isVoided }] });
  expect(withSale(false)).toContain('The payment, if it was voided');
  expect(withSale(true)).toContain('Void of the payment');
});
