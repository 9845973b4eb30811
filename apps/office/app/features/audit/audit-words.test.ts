import { expect, test } from 'vitest';
import { actionWords, valueWords, whoWords } from './audit-words.ts';

test('names people, programs and the portal differently', () => {
  expect(whoWords({ kind: 'staff', name: 'olive@example.com' })).toBe('olive@example.com');
  expect(whoWords({ kind: 'key', name: 'key:Nightly import' })).toBe('Key Nightly import');
  expect(whoWords({ kind: 'portal', name: 'portal' })).toBe('The portal');
});

test('an action reads as words', () => {
  expect(actionWords('merchant-keys.changed')).toBe('Merchant keys changed');
  expect(actionWords('refund: rule-out')).toBe('Refund not made');
});

test.each([
  [null, '–'],
  [true, 'Yes'],
  [0, '0'],
  ['', ''],
  [['view', 'import'], '["view","import"]'],
])('%j is shown as %j', (value, text) => {
  expect(valueWords(value)).toBe(text);
});
