import { expect, test } from 'vitest';
import { forgetOffer, forgetPaidState, keepPaidState, readPaidState } from './paid-state.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const payer = { firstName: 'Ana', lastName: 'Ruiz', email: 'ana@example.com' };
const state = { receipt: { reference: '1' }, offer: { token: 'a.1.b.c', payer } };

test('what was paid is kept until the next payment, with its offer or without one', () => {
  const store = memory();
  expect(readPaidState(null, store)).toBeNull();
  keepPaidState(state, store);
  expect(readPaidState(null, store)).toMatchObject(state);
  const mark = keepPaidState({ receipt: { reference: '2' } }, store);
  expect(readPaidState(null, store)).toEqual({ receipt: { reference: '2' }, ...mark });
  forgetPaidState(store);
  expect(readPaidState(null, store)).toBeNull();
});

test('a history entry carries nothing but a mark, and shows what its own payment left, while that is kept', () => {
  const store = memory();
  const first = keepPaidState(state, store);
  expect(first).toEqual({ paid: expect.stringMatching(/^[\da-f]{32}$/) });
  expect(readPaidState(first, store)).toMatchObject(state);
  const second = keepPaidState({ receipt: { reference: '2' } }, store);
  expect(readPaidState(first, store)).toBeNull();
  expect(readPaidState(second, store)).toMatchObject({ receipt: { reference: '2' } });
  forgetPaidState(store);
  expect(readPaidState(second, store)).toBeNull();
});

test('an offer that made an account is forgotten with its payer, and what was paid stays', () => {
  const store = memory();
  forgetOffer(store);
  expect(readPaidState(null, store)).toBeNull();
  const mark = keepPaidState(state, store);
  forgetOffer(store);
  expect(readPaidState(mark, store)).toEqual({ receipt: { reference: '1' }, ...mark });
});

test('what cannot be read is nothing', () => {
  const store = memory();
  store.setItem('paid', '{');
  expect(readPaidState(null, store)).toBeNull();
});
