import { describe, expect, test } from 'vitest';
import { paymentMessage, portalPaymentMessage } from './payment-messages.ts';

const WRONG = 'Something went wrong. Please try again.';
const LOST = `${WRONG} Press Pay again to check; you will not be charged twice.`;

const both: [number, string, string][] = [
  [400, 'Your card was declined.', 'Your card was declined.'],
  [409, 'The amount is now $120.25.', 'Unable to complete payment: The amount is now $120.25.'],
  [422, 'This key was used.', 'Unable to complete payment: This key was used.'],
  [429, 'Too many tries.', 'Unable to complete payment: Too many tries. Wait 2 minutes, then try again.'],
  [503, '', `${WRONG} The portal is busy. Wait 2 minutes, then try again.`],
  [400, '', WRONG],
  [500, 'Internal server error', WRONG],
  [0, '', LOST],
  [502, '', LOST],
  [504, '', LOST],
];

describe('a failed payment', () => {
  test.each(both)('of status %i with the detail %j reads %j', (status, detail, message) => {
    expect(paymentMessage({ status, detail, retryAfterSeconds: 120 })).toBe(message);
  });
});

test.each([
  ['PaidEarlier', 'You paid $100.00 earlier (reference 7). $50.00 is still due. Press Pay again to pay it.'],
  ['CheckedEarlier', 'We have checked your earlier payment. Nothing more is due.'],
])('shows an earlier payment in the server’s words only: %s', (code, detail) => {
  const errors = [{ code, description: detail }];
  expect(paymentMessage({ status: 409, detail, errors })).toBe(detail);
  expect(portalPaymentMessage({ status: 409, detail, errors })).toBe(detail);
});

test.each(['NotCharged', 'Unconfirmed', 'AccountClosed'])(
  'an answer that says itself what to do (%s) says nothing of a wait',
  (code) => {
    const detail = 'Your card was not charged. Please try again.';
    const errors = [{ code, description: '' }];
    expect(paymentMessage({ status: 503, detail, errors, retryAfterSeconds: 2 })).toBe(
      `Unable to complete payment: ${detail}`,
    );
  },
);

describe('a failed portal payment', () => {
  test.each([
    ...both,
    [404, 'Work order 1042 was not found.', 'Work order 1042 was not found.'] as const,
    [404, '', 'Unable to pay invoices. Please try again.'] as const,
  ])('of status %i with the detail %j reads %j', (status, detail, message) => {
    expect(portalPaymentMessage({ status, detail, retryAfterSeconds: 120 })).toBe(message);
  });
});
