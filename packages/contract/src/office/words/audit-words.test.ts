import { expect, test } from 'vitest';
import { actsNamed, actWords } from './audit-words.ts';

test('an act reads as words', () => {
  expect(actWords('merchant-keys.changed')).toBe('Merchant keys changed');
  expect(actWords('refund: rule-out')).toBe('Refund not made');
  expect(actWords('show-password')).toBe('Right password entered');
});

test('acts with words of their own are found by them', () => {
  expect(actsNamed('refund NOT made')).toEqual(['refund: rule-out']);
  expect(actsNamed('import')).toEqual([]);
});
