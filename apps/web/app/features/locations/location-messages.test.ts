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
    [429, 'Too many attempts. Please wait a moment and try again.', FAILED],
    [500, 'Internal server error', FAILED],
    [0, '', FAILED],
  ])('with status %i and detail %j reads %j', (status, detail, message) => {
    expect(addLocationMessage({ status, detail })).toBe(message);
  });
});
