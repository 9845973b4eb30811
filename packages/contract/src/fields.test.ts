import { expect, test } from 'vitest';
import { email, identifier, optionalText, requiredText } from './fields.ts';

const CARD_NUMBER = '4000 1000 1111 2224';

test.each([
  ['text that must be given', requiredText('note', 100), CARD_NUMBER],
  ['text that may be left out', optionalText('note', 100), CARD_NUMBER],
  ['an email address', email(), '4000100011112224@example.com'],
])('%s holds no card number', (_what, schema, value) => {
  const parsed = schema.safeParse(value);
  expect(parsed.error?.issues).toMatchObject([{ params: { code: 'CardDataNotAllowed' } }]);
});

test('an id may look like a card number', () => {
  expect(identifier('payment method', 100).safeParse(CARD_NUMBER).success).toBe(true);
});
