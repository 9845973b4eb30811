import { expect, test } from 'vitest';
import { declineSentence } from './decline-sentences.ts';

test.each([
  ['Insufficient funds (F51)', 'Insufficient funds (F51).'],
  ['Insufficient funds (51)', 'Insufficient funds (51).'],
  ['Insufficient funds', 'Insufficient funds.'],
  ['Card Declined (00)', 'Card Declined (00).'],
  ['Card Declined (F)', 'Card Declined (F).'],
  ['Credit card has expired.', 'Credit card has expired.'],
  ['Invalid Card Number (3)', 'Invalid Card Number (3).'],
  ['Insufficient funds (host db01)', 'The card was declined.'],
  ['Card Declined (00) at 10.0.0.1', 'The card was declined.'],
  ['', 'The card was declined.'],
  [undefined, 'The card was declined.'],
])('%j reads %j', (text, sentence) => {
  expect(declineSentence(text)).toBe(sentence);
});
