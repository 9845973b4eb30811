import { expect, test } from 'vitest';
import { UNREADABLE_CARD } from './card-messages.ts';
import type { CardError } from './provider-messages.ts';
import { tokenizeCard } from './tokenize-card.ts';

/** A provider whose promises and events the test controls. */
function provider() {
  const listeners = new Set<(error: CardError) => void>();
  const attempts: { resolve: (result: unknown) => void; reject: (error: unknown) => void }[] = [];
  return {
    attempts,
    listeners,
    sendError: (error: CardError) => {
      for (const listener of [...listeners]) listener(error);
    },
    tokenize: (longestWaitMilliseconds = 60_000) =>
      tokenizeCard({
        requestKey: () => new Promise((resolve, reject) => attempts.push({ resolve, reject })),
        onCardError: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        longestWaitMilliseconds,
      }),
  };
}

const key = (text: string) => ({ key: text, creditcard: { number: '400010xxxxxx2224', cardtype: 'Visa' } });

test('a key ends the attempt', async () => {
  const { tokenize, attempts, listeners } = provider();
  const outcome = tokenize();
  attempts[0]?.resolve(key('k1'));
  expect(await outcome).toEqual({
    ok: true,
    paymentKey: 'k1',
    cardType: 'Visa',
    maskedCard: '400010xxxxxx2224',
  });
  expect(listeners.size).toBe(0);
});

test('an error event ends an attempt whose promise never ends', async () => {
  const { tokenize, sendError } = provider();
  const outcome = tokenize();
  sendError({ field: 'cvv', message: '' });
  sendError({ field: 'number', message: 'Invalid card number' });
  const sentence = 'Check the card number: a digit is wrong or missing.';
  expect(await outcome).toEqual({ ok: false, reason: 'card-error', message: sentence });
});

test.each([
  [{ message: 'card is expired' }, 'This card has expired. Check the date, or use another card.'],
  ['Card declined', UNREADABLE_CARD],
  [undefined, UNREADABLE_CARD],
])('a rejection with %j ends the attempt as a card error', async (error, message) => {
  const { tokenize, attempts } = provider();
  const outcome = tokenize();
  attempts[0]?.reject(error);
  expect(await outcome).toEqual({ ok: false, reason: 'card-error', message });
});

test('silence ends the attempt', async () => {
  expect(await provider().tokenize(5)).toEqual({ ok: false, reason: 'no-answer' });
});

test('drops a key that comes after its attempt ended', async () => {
  const { tokenize, attempts, sendError } = provider();
  const first = tokenize();
  sendError({ field: 'number', message: 'Invalid card number' });
  const second = tokenize();
  attempts[0]?.resolve(key('late'));
  attempts[1]?.resolve(key('k2'));
  expect(await first).toMatchObject({ ok: false });
  expect(await second).toMatchObject({ ok: true, paymentKey: 'k2' });
});
