import { expect, test } from 'vitest';
import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { confirmBackOf, lookBackMilliseconds, showsTheNewest } from './shows-the-newest.ts';

const NEWEST = new Date('2026-11-15T18:00:00Z');
const MINUTE_MILLISECONDS = 60_000;

const at = (minutesBefore: number) => new Date(NEWEST.getTime() - minutesBefore * MINUTE_MILLISECONDS);
const rowAt = (minutesBefore: number, { orderId = 'order', isRefund = false } = {}) =>
  ({ createdAt: at(minutesBefore), orderId, isRefund }) as TransactionRecord;

test.each([
  ['a cluster that may have lost commits', false, 71, 69],
  ['a cluster that waits for its standby', true, 3, 1],
])('of %s a look reads no further back than it must', (_which, waitsForStandby, enough, tooLittle) => {
  const backMilliseconds = lookBackMilliseconds({ waitsForStandby });
  const look = (minutes: number) =>
    showsTheNewest([rowAt(0)], { seen: new Map([['order', [rowAt(0), rowAt(minutes)]]]), backMilliseconds });
  expect([look(enough), look(tooLittle)]).toEqual([true, false]);
});

const shows = (rows: TransactionRecord[], backMinutes: number) =>
  showsTheNewest(rows, {
    seen: Map.groupBy(rows, ({ orderId }) => orderId),
    backMilliseconds: backMinutes * MINUTE_MILLISECONDS,
  });

test('a list without an order of ours is read on', () => {
  expect(shows([], 0)).toBe(false);
});

test('a list that shows only refunds of orders is read on', () => {
  const refunds = [0, 50, 100].map((minutes) => rowAt(minutes, { orderId: `${minutes}`, isRefund: true }));
  expect(shows(refunds, 2)).toBe(false);
});

test('a refund says nothing of newer orders, and neither does its sale further back', () => {
  const refunded = [rowAt(0, { isRefund: true }), rowAt(500)];
  const newest = rowAt(40, { orderId: 'newest' });
  expect(shows([...refunded, newest], 470)).toBe(false);
  expect(shows([...refunded, newest], 450)).toBe(true);
  expect(shows(refunded, 0)).toBe(false);
});

test('a second look reads to the first one’s newest row, and 70 minutes further', () => {
  const rows = [rowAt(30), rowAt(5, { isRefund: true }), rowAt(90)];
  expect(confirmBackOf({ byOrderId: new Map([['order', rows]]) }, NEWEST)).toEqual(at(75));
});

test('a second look reads a day back where the first one saw no times', () => {
  const rows = [{ ...rowAt(0), createdAt: null }];
  expect(confirmBackOf({ byOrderId: new Map([['order', rows]]) }, NEWEST)).toEqual(at(24 * 60));
});
