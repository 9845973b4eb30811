import { expect, test } from 'vitest';
import { isFromGoneCardFrame } from './gone-card-frame.ts';

const PAY_JS = 'https://www.usaepay.com/js/v2/pay.js';
const error = new TypeError("Cannot read properties of null (reading 'contentWindow')");
const message = `Uncaught TypeError: ${error.message}`;
const is = (filename: string, given: Partial<ErrorEvent> = {}) =>
  isFromGoneCardFrame({ filename, message, error, ...given }, PAY_JS);

test('the error of the provider’s script whose frame is gone is known by its origin and its words', () => {
  expect(is(PAY_JS)).toBe(true);
  expect(is('https://www.usaepay.com/js/v2/pay.js?v=3')).toBe(true);
});

test.each<[string, string, Partial<ErrorEvent>]>([
  ['the same words from a script of ours', 'https://pay.brightpane.example/assets/entry.js', {}],
  ['the same words from nowhere', '', {}],
  ['the same words from an origin that begins alike', 'https://www.usaepay.com.example/js/v2/pay.js', {}],
  [
    'other words from the provider’s script',
    PAY_JS,
    { message: 'Uncaught TypeError: x is not a function', error: new TypeError('x is not a function') },
  ],
  [
    'another error that speaks of a contentWindow',
    PAY_JS,
    { message: "Uncaught Error: 'contentWindow'", error: new Error("'contentWindow'") },
  ],
  ['an error of which the browser tells nothing', '', { message: 'Script error.', error: null }],
])('%s is reported', (_, filename, given) => {
  expect(is(filename, given)).toBe(false);
});
