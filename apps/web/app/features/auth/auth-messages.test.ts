import { describe, expect, test } from 'vitest';
import { authFieldErrors, isSignInOutcome, signInMessage } from './auth-messages.ts';

const WRONG = 'Something went wrong. Please try again.';

describe('a failed sign-in', () => {
  test.each([
    [
      'LockedOut',
      'Sorry, your account has been deactivated. Please contact customer support for assistance.',
    ],
    ['NotAllowed', 'Please confirm your email address. Check your email inbox for a verification email.'],
    ['Failed', 'Wrong email or password.'],
    ['RequiresTwoFactor', 'Two-factor authentication is required but not yet supported.'],
    ['Internal server error', WRONG],
    ['toString', WRONG],
    ['', WRONG],
  ])('with the detail %j reads %j', (detail, message) => {
    expect(signInMessage({ status: 401, detail })).toBe(message);
  });

  test('too often says how long to wait', () => {
    expect(signInMessage({ status: 429, detail: 'Too many tries.', retryAfterSeconds: 120 })).toBe(
      `${WRONG} Too many tries. Wait 2 minutes, then try again.`,
    );
  });

  test.each([
    ['Failed', true],
    ['NotAllowed', true],
    ['LockedOut', true],
    ['RequiresTwoFactor', true],
    ['Internal server error', false],
    ['', false],
  ])('with the detail %j is foreseen: %j', (detail, foreseen) => {
    expect(isSignInOutcome({ detail })).toBe(foreseen);
  });
});

describe("an account form's errors", () => {
  test.each([
    ['PasswordTooShort', 'password'],
    ['PasswordTooCommon', 'password'],
    ['InvalidPassword', 'password'],
    ['DuplicateEmail', 'email'],
    ['InvalidEmail', 'email'],
  ])('of code %s stand under %s', (code, field) => {
    expect(authFieldErrors({ errors: [{ code, description: 'Because.' }] })).toEqual({
      [field]: ['Because.'],
    });
  });

  test('of other codes stand under the field they name, if the form has it', () => {
    const errors = [
      { code: 'Invalid', description: 'Please enter your first name.', field: 'firstName' },
      { code: 'Invalid', description: 'The link is not complete.', field: 'passwordToken' },
      { code: 'InvalidToken', description: 'This link is not valid any more.' },
    ];
    expect(authFieldErrors({ errors })).toEqual({ firstName: ['Please enter your first name.'] });
  });

  test('of one field are a list', () => {
    const errors = [
      { code: 'PasswordTooShort', description: 'Too short.' },
      { code: 'PasswordTooCommon', description: 'Too common.' },
    ];
    expect(authFieldErrors({ errors })).toEqual({ password: ['Too short.', 'Too common.'] });
  });
});
