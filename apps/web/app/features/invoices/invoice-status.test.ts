import { describe, expect, test } from 'vitest';
import { invoiceStatus } from './invoice-status.ts';

const dueDate = '2026-11-30T23:59:59-06:00';

describe('an invoice', () => {
  test.each([
    ['without a due date', null, '2026-11-30T00:00:00Z', 'Pending'],
    ['before its due date', dueDate, '2026-11-03T00:00:00Z', 'Due'],
    ['in the last second of its due date where the franchise is', dueDate, '2026-12-01T05:59:59Z', 'Due'],
    ['a second later', dueDate, '2026-12-01T06:00:00Z', 'Overdue'],
  ])('%s is %4$s', (_, due, now, status) => {
    expect(invoiceStatus({ dueDate: due }, new Date(now))).toBe(status);
  });
});
