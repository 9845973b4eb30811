import { expect, test } from 'vitest';
import { holdsCardNumber, isCardNumberOnly, phoneHoldsCardNumber } from './card-number.ts';

test.each([
  '4000100011112224',
  '4000 1000 1111 2224',
  '4000-1000-1111-2224',
  '4000.1000.1111.2224',
  '4000 - 1000 - 1111 - 2224',
  '4000–1000–1111–2224',
  '４０００１０００１１１１２２２４',
  'charge my card 4000100011112224 please',
  'x4000100011112224x',
  '4000 1000 1111 2224 12/30',
  '4000100011112224 62704',
  '378282246310005',
  '3782 822463 10005',
  '5555444433332226',
  '4222222222222',
  '6304000000000000000',
])('%s holds a card number', (text) => {
  expect(holdsCardNumber(text)).toBe(true);
});

test.each([
  '',
  'Maple Street 12',
  '4000100011112225',
  '4000 1000 1111 2225',
  '400010001111',
  '1042',
  '62704-1234',
  '+1 312 555 0100',
  '(312) 555-0100, (312) 555-0199',
  'work orders 1001, 1002, 1003, 1004',
  '9999999999999',
  '4000 1000 and 1111 2224',
  '2026-11-15T18:00:00Z',
])('%s holds none', (text) => {
  expect(holdsCardNumber(text)).toBe(false);
});

test.each(['+49 1512 3456787', '+4915123456787', '+1 (312) 555-0100'])(
  '%s is a phone number where one is asked for',
  (text) => {
    expect(phoneHoldsCardNumber(text)).toBe(false);
  },
);

test.each(['4000 1000 1111 2224', '+4000 1000 1111 2224', '378282246310005', '49 1512 3456787'])(
  '%s is refused where a phone number is asked for',
  (text) => {
    expect(phoneHoldsCardNumber(text)).toBe(true);
  },
);

test.each([
  ['4000 1000 1111 2224', true],
  ['4000-1000-1111-2224', true],
  ['jLVDpxXp4000100011112224D', false],
  ['46476358-3756-4dbe-a5af-73445f63f44d', false],
])('of the key %s it is %s that it is nothing but a card number', (text, isOne) => {
  expect(isCardNumberOnly(text)).toBe(isOne);
});
