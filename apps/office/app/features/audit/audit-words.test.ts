import { expect, test } from 'vitest';
import { subjectWords, valueWords } from './audit-words.ts';

test('a subject is shown with the beginning of its id', () => {
  expect(subjectWords('refund daad24aa-7ac4-47e6-91eb-290c7ed04a29')).toBe('refund daad24aa');
  expect(subjectWords('invoice 11/1001')).toBe('invoice 11/1001');
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
