import { expect, test } from 'vitest';
import { describeWorkOrders, readWorkOrders } from './describe-work-orders.ts';

const of = (franchiseId: number, workOrderNumber: number) => ({ franchiseId, workOrderNumber });

test('names work orders by franchise, and reads them back', () => {
  const lines = [of(12, 7), of(11, 1001), of(12, 8)];
  expect(describeWorkOrders(lines, 1000)).toBe('11/1001 12/7,8;');
  expect(readWorkOrders('11/1001 12/7,8;')).toEqual({
    workOrders: [of(11, 1001), of(12, 7), of(12, 8)],
    isWhole: true,
  });
});

test('leaves out whole work orders that do not fit, and marks the description as incomplete', () => {
  const lines = Array.from({ length: 500 }, (_, index) => of(11, 100_000 + index));
  const described = describeWorkOrders(lines, 1000);
  expect(described.length).toBeLessThanOrEqual(1000);
  const { workOrders, isWhole } = readWorkOrders(described);
  expect(isWhole).toBe(false);
  expect(workOrders.length).toBeGreaterThan(100);
  expect(workOrders).toEqual(lines.slice(0, workOrders.length));
});

test.each(['', ';', 'Card check', 'Windows 12/7', '11/', '/7', '11/x'])('reads %j as incomplete', (text) => {
  expect(readWorkOrders(text).isWhole).toBe(false);
});

test('reads a description as incomplete wherever it was cut', () => {
  const described = describeWorkOrders([of(11, 1001), of(11, 1002), of(12, 7)], 1000);
  for (let length = 0; length < described.length; length++)
    expect(readWorkOrders(described.slice(0, length)).isWhole).toBe(false);
  expect(readWorkOrders(described).isWhole).toBe(true);
});
