import { expect, test } from 'vitest';
import { factWords, fieldWords, subjectWords, valueWords } from './audit-words.ts';

test.each([
  ['refund daad24aa-7ac4-47e6-91eb-290c7ed04a29', 'Refund daad24aa'],
  ['api-key daad24aa-7ac4-47e6-91eb-290c7ed04a29', 'API key daad24aa'],
  ['invoice 11/1001', 'Invoice 11/1001'],
  ['books', 'Books'],
])('%s is shown as %s, with the beginning of its id', (subject, words) => {
  expect(subjectWords(subject)).toBe(words);
});

test.each([
  ['maxCreditPercent', 'Largest credit', 25, '25%'],
  ['refundLimit', 'Refunds of one payment', 1200.5, '$1,200.50'],
  ['rights', 'Rights', ['view', 'import'], 'View every list and page; import invoices'],
  ['role', 'Role', 'clerk', 'Clerk'],
  ['franchiseIds', 'Franchises', [11, 12], '11, 12'],
  ['franchiseIds', 'Franchises', [], 'All'],
  ['franchiseId', 'Franchise', null, 'All franchises'],
  ['state', 'State', 'not-made', 'Not made'],
  ['factors', 'Factors', [{ kind: 'totp', name: 'Phone' }], 'Authenticator app “Phone”'],
  ['amountCents', 'Amount', 1250, '$12.50'],
  ['openedOn', 'Opened on', '2026-11-03', 'Nov 3, 2026'],
  ['shortcuts', 'Search with /', true, 'Yes'],
  ['email', 'Email', null, '–'],
  ['created', 'Created', 0, '0'],
])('%s is shown as %s, and its value %j as %s', (field, words, value, text) => {
  expect(fieldWords(field)).toBe(words);
  expect(valueWords(field, value)).toBe(text);
});

test('a fact without words is shown as it is', () => {
  expect(fieldWords('newFact')).toBe('newFact');
  expect(valueWords('newFact', { some: 1 })).toBe('{"some":1}');
});

test.each([
  ['person', 'ana@example.com', 'Person: ana@example.com'],
  ['recipient', 'ana@example.com', 'Sent to: ana@example.com'],
  ['rows', 12, 'Rows: 12'],
  ['filters', { status: 'paid', from: '2026-11-01' }, 'Filters: status paid, from 2026-11-01'],
  ['filters', {}, 'Filters: None'],
  ['amountCents', 1250, 'Amount: $12.50'],
])('the further fact %s is shown as words', (fact, value, words) => {
  expect(factWords(fact, value)).toBe(words);
});
