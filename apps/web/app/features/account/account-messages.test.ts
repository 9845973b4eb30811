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
