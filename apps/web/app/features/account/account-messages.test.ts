import { describe, expect, test } from 'vitest';
import { refused } from './account-messages.ts';

const problem = (status: number, code: string, description: string, field?: string) => ({
  title: '',
  status,
  detail: description,
  errors: [{ code, description, ...(field && { field }) }],
});

describe('a refused change of address', () => {
  test.each([
    [400, 'EmailUnchanged', 'This is your address already.'],
    [409, 'EmailChangedLately', 'You can change your email address again on December 1, 2026.'],
  ])('that takes the form away stands above it: %i %s', (status, code, text) => {
    expect(refused('changeEmail', problem(status, code, text, 'email'))).toEqual({
      success: false,
      message: text,
    });
  });

  test('that a new attempt may mend stands at its field', () => {
    const text = 'This is not your current password.';
    expect(refused('changeEmail', problem(400, 'PasswordMismatch', text, 'password'))).toEqual({
      success: false,
      message: 'Please check your details and try again.',
      fieldErrors: { password: [text] },
    });
  });
});

describe('a call that may have been carried out without an answer', () => {
  test.each([
    [
      'changePassword',
      0,
      'Something went wrong. Please try again. Your password may have been changed: if the current one is refused, enter the new one.',
    ],
    [
      'closeAccount',
      502,
      'Something went wrong. Please try again. Your account may be closed already: then you can no longer sign in.',
    ],
    [
      'changePassword',
      429,
      'Something went wrong. Please try again. Too many tries. Wait a moment, then try again.',
    ],
    [
      'closeAccount',
      503,
      'Something went wrong. Please try again. The portal is busy. Wait a moment, then try again.',
    ],
    ['updateAccount', 0, 'Something went wrong. Please try again.'],
  ] as const)('%s with status %i says what may follow', (operation, status, message) => {
    expect(refused(operation, { title: '', status, detail: '', errors: [] })).toEqual({
      success: false,
      message,
    });
  });
});
