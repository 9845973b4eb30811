import type { ProblemError } from '@brightpane/contract/problem';
import { describe, expect, test } from 'vitest';
import { acceptInviteMessage } from './invitation-messages.ts';

const EXPIRED = 'Your invite has expired. Please contact your local office.';
const DETAILS = 'Please check your details and try again.';
const WRONG = 'Something went wrong. Please try again.';

const invalidToken = { code: 'InvalidToken', description: 'This link is not valid any more.' };
const tooShort = { code: 'PasswordTooShort', description: 'Please use at least 8 characters.' };
const noName = { code: 'Invalid', description: 'Please enter your first name.', field: 'firstName' };
const noLink = { code: 'Invalid', description: 'The link is not complete.', field: 'passwordToken' };

describe('an invitation that cannot be accepted', () => {
  test.each<[number, ProblemError[], string]>([
    [400, [invalidToken], EXPIRED],
    [400, [tooShort, invalidToken], EXPIRED],
    [404, [], EXPIRED],
    [400, [tooShort], DETAILS],
    [400, [noName], DETAILS],
    [400, [noLink], WRONG],
    [
      429,
      [{ code: 'TooManyAttempts', description: 'Too many tries.' }],
      `${WRONG} Too many tries. Wait 2 minutes, then try again.`,
    ],
    [500, [], WRONG],
    [0, [], WRONG],
  ])('with status %i and the errors %j reads %j', (status, errors, message) => {
    expect(acceptInviteMessage({ status, errors, retryAfterSeconds: 120 })).toBe(message);
  });
});
