import { expect, test } from 'vitest';
import { fieldErrors } from './field-errors.ts';

test("the server's field errors stand under the form's names, several of one field as a list", () => {
  const errors = [
    { code: 'Invalid', description: 'Please enter your street.', field: 'address' },
    { code: 'Invalid', description: 'Please shorten your street.', field: 'address' },
    { code: 'Invalid', description: 'Please enter your city.', field: 'city' },
    { code: 'NotCharged', description: 'Your card was not charged.' },
  ];
  expect(fieldErrors({ errors }, { address: 'street' })).toEqual({
    street: ['Please enter your street.', 'Please shorten your street.'],
    city: ['Please enter your city.'],
  });
});
