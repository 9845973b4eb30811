import { expect, test } from 'vitest';
import {
  email,
  identifier,
  newPassword,
  optionalEmail,
  optionalPhone,
  optionalText,
  requiredText,
  secretKey,
} from './fields.ts';
import { search } from './office/lists.ts';

const CARD_NUMBER = '4000 1000 1111 2224';

test.each([
  ['text that must be given', requiredText('note', 100), CARD_NUMBER],
  ['text that may be left out', optionalText('note', 100), CARD_NUMBER],
  ['an email address', email(), '4000100011112224@example.com'],
  ['an email address that may be left out', optionalEmail(), '4000100011112224@example.com'],
  ['a new password', newPassword(), CARD_NUMBER],
  ['a phone number that may be left out', optionalPhone(), CARD_NUMBER],
  ['a key', secretKey('card details', 100), CARD_NUMBER],
])('%s holds no card number', (_what, schema, value) => {
  const parsed = schema.safeParse(value);
  expect(parsed.error?.issues).toMatchObject([{ params: { code: 'CardDataNotAllowed' } }]);
});

test.each([
  ['text that must be given', requiredText('note', 100)],
  ['text that may be left out', optionalText('note', 100)],
  ['an email address', email()],
  ['an email address that may be left out', optionalEmail()],
  ['a new password', newPassword()],
  ['a phone number that may be left out', optionalPhone()],
  ['a key', secretKey('card details', 100)],
  ['a search', search()],
])('%s that is too long is not searched for card numbers, which would take long', (_what, schema) => {
  const parsed = schema.safeParse(`${' 4'.repeat(10_000)} ${CARD_NUMBER}`);
  expect(parsed.error?.issues).toHaveLength(1);
  expect(parsed.error?.issues).not.toMatchObject([{ params: { code: 'CardDataNotAllowed' } }]);
});

test.each([
  ['', undefined],
  [' ', undefined],
  [null, undefined],
  [undefined, undefined],
  [' zoe@example.com ', 'zoe@example.com'],
  ['\u202a zoe@example.com\u202c', 'zoe@example.com'],
  ['\u200b', undefined],
])('an email address that may be left out is read of %j as %j', (given, read) => {
  expect(optionalEmail().parse(given)).toBe(read);
});

test.each(['zoe', 'zoe@example', 7, `${'z'.repeat(250)}@example.com`])('%j is no email address', (given) => {
  expect(optionalEmail().safeParse(given).success).toBe(false);
});

test('an id may look like a card number', () => {
  expect(identifier('payment method', 100).safeParse(CARD_NUMBER).success).toBe(true);
});

test('a key that holds the digits of a card number among others is a key', () => {
  expect(secretKey('card details', 100).safeParse('jLVD4000100011112224XpQ').success).toBe(true);
});

test('a phone number with a plus may look like a card number', () => {
  expect(optionalPhone().parse(' +49 1512 3456787 ')).toBe('+49 1512 3456787');
});
