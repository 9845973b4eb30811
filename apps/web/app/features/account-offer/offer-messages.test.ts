import { describe, expect, test } from 'vitest';
import { checkYourInbox, placeOf, refused } from './offer-messages.ts';

const OFFER = {
  franchiseName: 'Clear View',
  workOrderNumber: 1042,
  addressLine1: 'Maple Street 12',
  city: 'Springfield',
  expiresAt: '2026-11-15T18:30:00Z',
};

describe('an offered location is called', () => {
  test.each([
    ['by its street', {}, 'Maple Street 12'],
    ['by its city where it has none', { addressLine1: ' \u200b ' }, 'Springfield'],
    [
      'by the work order where it has neither',
      { addressLine1: '', city: '' },
      'the location of work order 1042',
    ],
  ])('%s', (_what, given, name) => {
    expect(placeOf({ ...OFFER, ...given })).toBe(name);
  });
});

test('a new account reads which address to confirm, and what it will show', () => {
  expect(checkYourInbox({ email: 'ana@example.com', place: 'Maple Street 12' })).toBe(
    'Check your inbox. The link confirms ana@example.com; Maple Street 12 is in your account when you sign in.',
  );
});

describe('a refused offer', () => {
  const problem = (code: string, description: string) => ({
    title: 'Bad Request',
    status: 400,
    detail: description,
    errors: [{ code, description }],
  });

  test('that is over says what to do instead, and takes the form away', () => {
    expect(refused('useOffer', problem('InvalidToken', 'This link is not valid any more.'))).toEqual({
      success: false,
      message: 'This offer is not valid any more. You can add the location with the numbers on your invoice.',
      isOver: true,
    });
  });

  test('by a taken address says so at its field', () => {
    const taken = 'There is an account with this email address already.';
    expect(refused('registerWithOffer', problem('DuplicateEmail', taken))).toEqual({
      success: false,
      message: 'Please check your details and try again.',
      fieldErrors: { email: [taken] },
    });
  });
});
