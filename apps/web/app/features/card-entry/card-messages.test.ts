import { expect, test } from 'vitest';
import { cardSentence, UNREADABLE_CARD } from './card-messages.ts';

test.each([
  ['number', 'card number is required', 'Enter the card number.'],
  ['number', 'Card number is required', 'Enter the card number.'],
  ['expiration', 'expiration date is required', 'Enter the expiration date.'],
  ['expiration', 'card is expired', 'This card has expired. Check the date, or use another card.'],
  ['cvv', 'cvv is required', 'Enter the CVV, the security code on the card.'],
  ['number', 'invalid card number', 'Check the card number: a digit is wrong or missing.'],
  ['number', 'invalid length', 'Check the card number: a digit is wrong or missing.'],
  ['cvv', 'invalid length', 'Check the CVV: it has three digits, or four on American Express.'],
  ['card', 'invalid length', 'Check the card number and the CVV: one is too short or too long.'],
  ['toString', 'invalid length', 'Check the card number and the CVV: one is too short or too long.'],
  ['card', 'Invalid card informtion', 'Check the card number, the expiration date and the CVV.'],
])('says of the field %s, for "%s": %s', (field, message, sentence) => {
  expect(cardSentence({ field, message })).toBe(sentence);
});

test.each(['Token 7f3a refused by UM-19', 'constructor', '<b>no</b>'])(
  'says one general sentence for "%s"',
  (message) => {
    expect(cardSentence({ field: 'paymentKey', message })).toBe(UNREADABLE_CARD);
  },
);

test.each(['Unable to reach the card processor', 'TypeError: Failed to fetch', 'timed out'])(
  'tells a processor that is out of reach from a wrong card, for "%s"',
  (message) => {
    expect(cardSentence({ field: 'paymentKey', message })).toBe(
      'The card processor could not be reached, so this attempt charged nothing. Try again in a moment.',
    );
  },
);

test('leaves an empty message empty, which takes back an error', () => {
  expect(cardSentence({ field: 'cvv', message: ' ' })).toBe('');
});
