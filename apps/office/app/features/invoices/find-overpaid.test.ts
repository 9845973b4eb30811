import type { Payment } from '@brightpane/contract/office/payments';
import type { Refund } from '@brightpane/contract/office/refunds';
import { expect, test } from 'vitest';
import { findOverpaid } from './find-overpaid.ts';

const OF = { franchiseId: 11, workOrderNumber: 1001 };
const refund = (state: Refund['state'], line: object = {}) =>
  ({ state, lines: [{ ...OF, effect: 'due-again', ...line }] }) as Refund;
const wordsOf = (...refunds: Refund[]) => findOverpaid([], { ...OF, refunds });

const NONE = { tax: 0, services: 0, servicesTax: 0, tip: 5, overpaidTax: 0 };
type Given = { chargeState?: string; disputeId?: string; overpaid?: number; refunds?: Refund['state'][] };
/** A payment of $100.00 by one card, of which `overpaid` may go back. */
const paymentOf = ({ chargeState = 'captured', disputeId, overpaid = 0, refunds = [] }: Given) =>
  ({
    shares: [
      {
        chargeId: 'a',
        franchiseId: 11,
        chargeState,
        disputeId: disputeId ?? null,
        lines: [{ workOrderNumber: 1001 }],
      },
    ],
    refunds: refunds.map((state) => ({ state, amount: 5 })),
    refundable:
      chargeState === 'captured' ? [{ ...OF, ...NONE, invoice: 100, overpaid, excess: overpaid }] : [],
  }) as unknown as Payment;
const findIn = (...payments: Payment[]) => findOverpaid(payments, { ...OF, refunds: [] });

test('an overpayment goes back from the newest payment that it can go back from', () => {
  const all = paymentOf({});
  const held = paymentOf({ overpaid: 20, refunds: ['held'] });
  const disputed = paymentOf({ overpaid: 20, disputeId: 'd' });
  const newer = paymentOf({ overpaid: 20 });
  const older = paymentOf({ overpaid: 20 });
  const found = findIn(all, held, disputed, newer, older);
  expect('payment' in found && found.payment).toBe(newer);
});

test.each<[string, Given, string]>([
  [
    'a refund of it is held',
    { refunds: ['held'] },
    'A refund of this payment waits for a decision. Decide it first.',
  ],
  ['it is disputed', { disputeId: 'd' }, 'This charge is disputed. A refund could pay twice.'],
])('it is not to be paid back another way while %s', (_what, given, why) => {
  expect(findIn(paymentOf({ overpaid: 20, ...given }), paymentOf({}))).toEqual({ why });
});

test('nothing is to be paid back while collection of a payment is failing', () => {
  const failing = paymentOf({ chargeState: 'reversing' });
  const why =
    'Collection of a card payment of this invoice is failing. Do not pay anything back until it is decided.';
  expect(findIn(paymentOf({ overpaid: 20 }), failing)).toEqual({ why });
  expect(findIn(paymentOf({ chargeState: 'capture_failed' }))).toEqual({
    why: 'No card payment of this invoice has anything left. Pay it back another way.',
  });
});

test.each(['requested', 'waiting', 'sending', 'unknown', 'held'] as const)(
  'what a refund that is %s returns is not to be paid back another way',
  (state) => {
    expect(wordsOf(refund('made'), refund(state))).toEqual({
      why: 'It is being returned: a refund of this invoice has not ended. Do not pay it back another way.',
    });
  },
);

test('what no refund returns is to be paid back another way', () => {
  const ended = (['made', 'refused', 'not-made', 'withdrawn'] as const).map((state) => refund(state));
  const others = [refund('waiting', { workOrderNumber: 1002 }), refund('waiting', { effect: 'credited' })];
  expect(wordsOf(...ended, ...others)).toEqual({
    why: 'No card payment of this invoice has anything left. Pay it back another way.',
  });
});
