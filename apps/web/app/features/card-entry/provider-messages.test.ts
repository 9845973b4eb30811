import { describe, expect, test } from 'vitest';
import { readCardError, readCardKey } from './provider-messages.ts';

describe('an error event of the provider', () => {
  test.each([
    [
      '{"type":"cvv","code":"1","message":"CVV is required","reason":"required"}',
      { field: 'cvv', message: 'CVV is required' },
    ],
    ['{"type":"cvv","code":"0","message":"","reason":"clear error"}', { field: 'cvv', message: '' }],
    ['card number is required', { field: 'card', message: 'card number is required' }],
    [
      { type: 'number', message: 'Invalid' },
      { field: 'number', message: 'Invalid' },
    ],
    [{ message: 'Invalid' }, { field: 'card', message: 'Invalid' }],
    [undefined, { field: 'card', message: '' }],
  ])('%j is %j', (payload, error) => {
    expect(readCardError(payload)).toEqual(error);
  });
});

describe('the result of a request for a key', () => {
  test.each([
    [
      {
        type: 'payment_key',
        key: 'jLVDpx',
        creditcard: { number: '601122xxxxxx2224', cardtype: 'Discover' },
      },
      { paymentKey: 'jLVDpx', cardType: 'Discover', maskedCard: '601122xxxxxx2224' },
    ],
    ['jLVDpx', { paymentKey: 'jLVDpx', cardType: '', maskedCard: '' }],
    [{ key: 'jLVDpx' }, { paymentKey: 'jLVDpx', cardType: '', maskedCard: '' }],
    [{ error: { message: 'Card declined' } }, { field: 'card', message: 'Card declined' }],
    [{ error: 'Card declined' }, { field: 'card', message: 'Card declined' }],
    [null, { field: 'card', message: '' }],
  ])('%j is %j', (result, read) => {
    expect(readCardKey(result)).toEqual(read);
  });
});
