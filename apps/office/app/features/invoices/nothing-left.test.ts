import type { Refund } from '@brightpane/contract/office/refunds';
import { expect, test } from 'vitest';
import { nothingLeftWords } from './nothing-left.ts';

const OF = { franchiseId: 11, workOrderNumber: 1001 };
const refund = (state: Refund['state'], line: object = {}) =>
  ({ state, lines: [{ ...OF, effect: 'due-again', ...line }] }) as Refund;
const wordsOf = (...refunds: Refund[]) => nothingLeftWords({ ...OF, refunds });

test.each(['requested', 'waiting', 'sending', 'unknown', 'held'] as const)(
  'what a refund that is %s returns is not to be paid back another way',
  (state) => {
    expect(wordsOf(refund('made'), refund(state))).toBe(
      'It is being returned: a refund of this invoice has not ended. Do not pay it back another way.',
    );
  },
);

test('what no refund returns is to be paid back another way', () => {
  const ended = (['made', 'refused', 'not-made', 'withdrawn'] as const).map((state) => refund(state));
  const others = [refund('waiting', { workOrderNumber: 1002 }), refund('waiting', { effect: 'credited' })];
  expect(wordsOf(...ended, ...others)).toBe(
    'No card payment of this invoice has anything left. Pay it back another way.',
  );
});
