import { expect, test } from 'vitest';
import { addPaymentMethodMessage } from './payment-method-messages.ts';

const NO_REASON = 'Unable to add payment method: Something went wrong. Please try again.';

test.each([
  [
    400,
    'Insufficient funds. Your card was not charged.',
    'Unable to add payment method: Insufficient funds. Your card was not charged.',
  ],
  [
    429,
    'Too many cards were tried.',
    'Unable to add payment method: Too many cards were tried. Wait 2 minutes, then try again.',
  ],
  [503, '', `${NO_REASON} The portal is busy. Wait 2 minutes, then try again.`],
  [500, 'Internal server error', NO_REASON],
  [400, '', NO_REASON],
  [0, '', NO_REASON],
])('a card that cannot be added, with status %i and the detail %j, reads %j', (status, detail, message) => {
  expect(addPaymentMethodMessage({ status, detail, retryAfterSeconds: 120 })).toBe(message);
});

test('an answer that asks for another press says nothing of a wait', () => {
  const errors = [{ code: 'Unconfirmed', description: '' }];
  const detail = 'We could not confirm this card. Press Add Payment Method again to check.';
  expect(addPaymentMethodMessage({ status: 503, detail, errors, retryAfterSeconds: 2 })).toBe(
    `Unable to add payment method: ${detail}`,
  );
});
