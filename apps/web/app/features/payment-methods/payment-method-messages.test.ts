import { expect, test } from 'vitest';
import { addPaymentMethodMessage } from './payment-method-messages.ts';

const NO_REASON = 'Unable to add payment method: Something went wrong. Please try again.';

test.each([
  [
    400,
    'Insufficient funds. Your card was not charged.',
    'Unable to add payment method: Insufficient funds. Your card was not charged.',
  ],
  [429, 'Too many cards were tried.', 'Unable to add payment method: Too many cards were tried.'],
  [503, 'Your card was not charged.', 'Unable to add payment method: Your card was not charged.'],
  [500, 'Internal server error', NO_REASON],
  [400, '', NO_REASON],
  [0, '', NO_REASON],
])('a card that cannot be added, with status %i and the detail %j, reads %j', (status, detail, message) => {
  expect(addPaymentMethodMessage({ status, detail })).toBe(message);
});
