import { describe, expect, test } from 'vitest';
import { searchMessage } from './search-messages.ts';

describe('a failed search', () => {
  test.each([
    [400, 'Invalid work order number', 'Invalid work order number'],
    [404, 'x', 'Invoice not found. Please check your information and try again.'],
    [400, '', 'Something went wrong. Please try again.'],
    [
      429,
      'Too many tries.',
      'Something went wrong. Please try again. Too many tries. Wait 2 minutes, then try again.',
    ],
    [500, 'Internal server error', 'Something went wrong. Please try again.'],
    [
      503,
      'Busy',
      'Something went wrong. Please try again. The portal is busy. Wait 2 minutes, then try again.',
    ],
    [0, '', 'Something went wrong. Please try again.'],
  ])('of status %i with the detail %j reads %j', (status, detail, message) => {
    expect(searchMessage({ status, detail, retryAfterSeconds: 120 })).toBe(message);
  });
});
