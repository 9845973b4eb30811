import { expect, test } from 'vitest';
import { unableToOpen } from './file-messages.ts';

test.each([
  [{ status: 429, retryAfterSeconds: 120 }, ' Too many tries. Wait 2 minutes, then try again.'],
  [{ status: 503, retryAfterSeconds: 10 }, ' The portal is busy. Wait 10 seconds, then try again.'],
  [{ status: 0 }, ''],
  [null, ''],
])('a file whose link was refused with %j says so, and how long to wait', (refusal, advice) => {
  expect(unableToOpen('the PDF', refusal, false)).toBe(`Unable to open the PDF. Please try again.${advice}`);
});

test('without a network, that is what a file says', () => {
  expect(unableToOpen('the file', null, true)).toBe(
    'Unable to open the file: you are offline. Connect to the internet, then try again.',
  );
});
