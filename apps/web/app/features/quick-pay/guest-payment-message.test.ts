import { describe, expect, test } from 'vitest';
import { guestPaymentMessage } from './guest-payment-message.ts';

describe('a failed guest payment', () => {
  test.each([
    [404, 'There is no such invoice.', 'Invoice not found. Please check your information and try again.'],
    [400, 'Work order 1042 is already paid.', 'Work order 1042 is already paid.'],
    [
      409,
      'A payment for work order 1042 is already in progress.',
      'Unable to complete payment: A payment for work order 1042 is already in progress.',
    ],
  ])('of status %i with the detail %j reads %j', (status, detail, message) => {
    expect(guestPaymentMessage({ status, detail })).toBe(message);
  });
});
