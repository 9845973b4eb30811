import { expect, test } from 'vitest';
import { refusedRefund } from './refund-refusal.ts';

const refused = (field?: string) => {
  const description = 'At most $5.00 of the tip of work order 1001 can still be refunded.';
  const errors = [{ code: 'MoreThanLeft', description, ...(field && { field }) }];
  return refusedRefund({ title: 'Conflict', status: 409, detail: description, errors }, { tip: 'amount' });
};

test('puts a refused part beside the dialog’s field for it, whichever line it is of', () => {
  expect(refused('lines.1.amount').fieldErrors).toHaveProperty('amount');
  expect(refused('lines.1.tip').fieldErrors).toHaveProperty('amount');
  expect(refused('lines.1.services').fieldErrors).toHaveProperty('services');
  expect(refused()).toMatchObject({ message: expect.stringContaining('the tip'), fieldErrors: {} });
});
