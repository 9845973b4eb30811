import { describe, expect, test } from 'vitest';
import { addLocationMessage } from './location-messages.ts';

const FAILED = 'Unable to associate location';

describe('a location that cannot be added', () => {
  test.each([
    [400, 'Invalid franchise number', 'Invalid franchise number'],
    [400, 'Invalid work order number', 'Invalid work order number'],
    [400, '', FAILED],
    [404, 'Location not found', 'Location not found'],
    [404, '', 'Location not found'],
    [409, 'Something else.', FAILED],
    [429, 'Too many tries.', `${FAILED}. Too many tries. Wait 2 minutes, then try again.`],
    [500, 'Internal server error', FAILED],
    [0, '', FAILED],
  ])('with status %i and detail %j reads %j', (status, detail, message) => {
    expect(addLocationMessage({ status, detail, retryAfterSeconds: 120 })).toBe(message);
  });
});
