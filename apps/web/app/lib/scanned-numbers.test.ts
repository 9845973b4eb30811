import { memoryStore } from '@brightpane/ui/browser-storage';
import { expect, test } from 'vitest';
import { rememberScannedNumbers, takeScannedNumbers } from './scanned-numbers.ts';

const ALL = '?franchiseNumber=11&workOrderNumber=1001&zipCode=60302';

test('three numbers are kept, and taken once', () => {
  const store = memoryStore();
  rememberScannedNumbers(ALL, store);
  expect(takeScannedNumbers(store)).toBe(ALL);
  expect(takeScannedNumbers(store)).toBeNull();
});

test('a signed-in person’s numbers are nobody else’s; a guest’s go to whoever signs in', () => {
  const store = memoryStore();
  rememberScannedNumbers(ALL, store, 'ana');
  expect(takeScannedNumbers(store, 'bo')).toBeNull();
  rememberScannedNumbers(ALL, store, null);
  expect(takeScannedNumbers(store, 'bo')).toBe(ALL);
});

test.each(['', '?franchiseNumber=11', '?franchiseNumber=11&workOrderNumber=1001&zipCode=%20'])(
  '%j is not kept, and leaves what is',
  (search) => {
    const store = memoryStore();
    rememberScannedNumbers(ALL, store);
    rememberScannedNumbers(search, store);
    expect(takeScannedNumbers(store)).toBe(ALL);
  },
);
