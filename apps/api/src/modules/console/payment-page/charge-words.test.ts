import { expect, test } from 'vitest';
import type { ChargeState } from '../../../db/schema/payments.ts';
import { chargeWords } from './charge-words.ts';

const GIVING_BACK = 'Not charged. A hold may show on the card for some days; we are giving it back.';
const LOOKING =
  "It is unclear whether the card is held or charged. Look at the provider's record before the customer pays again; headquarters is looking.";

const WORDS: Record<ChargeState, string> = {
  authorising: 'Not charged.',
  authorised: 'Not charged.',
  accepted: 'Paid, being collected.',
  captured: 'Paid. Collected Nov 21, 2:06 PM.',
  reversing: 'Collection is failing. We are making sure that nothing was taken.',
  capture_failed: 'Not collected. The card was not charged, the invoice is due again, the payer was told.',
  refused: 'Declined: The card was declined.',
  abandoned: GIVING_BACK,
  releasing: GIVING_BACK,
  released: 'Not charged.',
  absent: 'Not charged.',
  unresolved: LOOKING,
  conflict: LOOKING,
};

test.each(Object.entries(WORDS))('a charge that is %s is told as "%s"', (state, words) => {
  const told = chargeWords({
    state: state as ChargeState,
    answer: 'The card was declined.',
    collectedAt: '2026-11-21T20:06:00Z',
    timeZone: 'America/Chicago',
    lines: [{ workOrderNumber: 1042, balanceCents: 108_25 }],
    isPayerTold: true,
  });
  expect(told).toBe(words);
});

test.each([
  [[0], 'nothing is due on the invoice now'],
  [[0, 0], 'nothing is due on the invoices now'],
  [[1, 1], 'the invoices are due again'],
  [[0, 1], 'work order 1002 is due again'],
  [[1, 0, 1], 'work orders 1001, 1003 are due again'],
])('of work orders on which %j cents are due now, a failed capture says that %s', (balances, words) => {
  const lines = balances.map((balanceCents, index) => ({ workOrderNumber: 1001 + index, balanceCents }));
  const failed = { state: 'capture_failed' as const, answer: null, collectedAt: null };
  expect(chargeWords({ ...failed, timeZone: 'America/Chicago', lines, isPayerTold: false })).toBe(
    `Not collected. The card was not charged, ${words}, the payer was not told by mail.`,
  );
});
