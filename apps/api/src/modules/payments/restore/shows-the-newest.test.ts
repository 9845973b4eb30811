import { expect, test } from 'vitest';
import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { lookBackMilliseconds, showsTheNewest } from './shows-the-newest.ts';

const NEWEST = new Date('2026-11-15T18:00:00Z');
const MINUTE_MILLISECONDS = 60_000;

const rowAt = (minutesBefore: number) =>
  ({ createdAt: new Date(NEWEST.getTime() - minutesBefore * MINUTE_MILLISECONDS) }) as TransactionRecord;

test.each([
  ['a cluster that may have lost commits', false, 71, 69],
  ['a cluster that waits for its standby', true, 3, 1],
])('of %s a look reads no further back than it must', (_which, waitsForStandby, enough, tooLittle) => {
  const backMilliseconds = lookBackMilliseconds({ waitsForStandby });
  const look = (minutes: number) =>
    showsTheNewest([rowAt(0)], { seen: new Map([['order', [rowAt(0), rowAt(minutes)]]]), backMilliseconds });
  expect([look(enough), look(tooLittle)]).toEqual([true, false]);
});

test('a list without an order of ours is read on', () => {
  expect(showsTheNewest([], { seen: new Map(), backMilliseconds: 0 })).toBe(false);
});
