import { expect, test } from 'vitest';
import { email, identifier, newPassword, optionalEmail, optionalText, requiredText } from './fields.ts';

const CARD_NUMBER = '4000 1000 1111 2224';

test.each([
  ['text that must be given', requiredText('note', 100), CARD_NUMBER],
  ['text that may be left out', optionalText('note', 100), CARD_NUMBER],
  ['an email address', email(), '4000100011112224@example.com'],
  ['an email address that may be left out', optionalEmail(), '4000100011112224@example.com'],
  ['a new password', newPassword(), CARD_NUMBER],
])('%s holds no card number', (_what, schema, value) => {
  const parsed = schema.safeParse(value);
  expect(parsed.error?.issues).toMatchObject([{ params: { code: 'CardDataNotAllowed' } }]);
});

test.each([
  ['', undefined],
  [' ', undefined],
  [null, undefined],
  [undefined, undefined],
  [' zoe@example.com ', 'zoe@example.com'],
])('an email address that may be left out is read of %j as %j', (given, read) => {
  expect(optionalEmail().parse(given)).toBe(read);
});

test.each(['zoe', 'zoe@example', 7, `${'z'.repeat(250)}@example.com`])('%j is no email address', (given) => {
  expect(optionalEmail().safeParse(given).success).toBe(false);
});

test('an id may look like a card number', () => {
  expect(identifier('payment method', 100).safeParse(CARD_NUMBER).success).toBe(true);
});
