import { expect, test } from 'vitest';
import { whyNotRefundable } from './why-not.ts';

type Payment = Parameters<typeof whyNotRefundable>[0];

const NONE = {
  invoice: 0,
  tax: 0,
  services: 0,
  servicesTax: 0,
  tip: 0,
  overpaid: 0,
  overpaidTax: 0,
  excess: 0,
};
const left = (workOrderNumber: number, invoice: number) => ({
  ...NONE,
  franchiseId: 11,
  workOrderNumber,
  invoice,
});
const charge = (chargeId: string, disputeId: string | null = null) => ({ chargeId, disputeId });
const refund = (state: Payment['refunds'][number]['state'], amount: number) => ({ state, amount });

const NOTHING_LEFT = [left(1001, 0), left(1002, 0)];
const ONE = [charge('a'), charge('a')];
const TWO = [charge('a'), charge('b')];
const HELD = 'A refund of this payment waits for a decision. Decide it first.';

test.each<[string, Payment, string | null]>([
  ['something is left', { shares: TWO, refunds: [], refundable: [left(1001, 0), left(1002, 50)] }, null],
  [
    'nothing was collected',
    { shares: ONE, refunds: [], refundable: [] },
    'This payment was not collected. There is nothing to refund.',
  ],
  [
    'all charges are disputed',
    { shares: [charge('a', 'd')], refunds: [], refundable: [left(1001, 50)] },
    'This charge is disputed. A refund could pay twice.',
  ],
  [
    'its only charge has a held refund, whatever is left',
    { shares: ONE, refunds: [refund('held', 20)], refundable: [left(1001, 30)] },
    HELD,
  ],
  [
    'one of two charges has a held refund and something is left',
    { shares: TWO, refunds: [refund('held', 20)], refundable: [left(1001, 0), left(1002, 30)] },
    null,
  ],
  [
    'the refund of both charges is held',
    { shares: TWO, refunds: [refund('held', 50), refund('held', 60)], refundable: NOTHING_LEFT },
    HELD,
  ],
  [
    'one charge is refunded and the rest is held',
    { shares: TWO, refunds: [refund('made', 50), refund('held', 60)], refundable: NOTHING_LEFT },
    HELD,
  ],
  [
    'a refund is on its way beside a held one',
    { shares: TWO, refunds: [refund('sending', 50), refund('held', 60)], refundable: NOTHING_LEFT },
    '$50.00 of this payment is being refunded already.',
  ],
  [
    'its one work order is refunded',
    { shares: ONE, refunds: [refund('made', 50)], refundable: [left(1001, 0)] },
    'Work order 1001 is fully refunded.',
  ],
  [
    'all work orders are refunded',
    { shares: TWO, refunds: [refund('made', 110)], refundable: NOTHING_LEFT },
    'This payment is fully refunded.',
  ],
])('says why nothing can be refunded where %s', (_, payment, words) => {
  expect(whyNotRefundable(payment)).toBe(words);
});
