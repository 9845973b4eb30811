import { expect, test } from 'vitest';
import { cardExpiry, cardName } from './card-name.ts';

test('a card is called by its brand and its last four digits', () => {
  expect(cardName({ brand: 'American Express', maskedCard: 'xxxx2225' })).toBe(
    'American Express ending in 2225',
  );
});

test.each([
  ['2030-12', '12/2030'],
  ['2027-01', '01/2027'],
  [null, ''],
])('a card that is good until %j reads %j', (expires, text) => {
  expect(cardExpiry({ expires })).toBe(text);
});
