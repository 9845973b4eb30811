import { expect, test } from 'vitest';
import { forgetPaidState, keepPaidState, readPaidState } from './paid-state.ts';

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
  expect(readPaidState(store)).toBeNull();
  keepPaidState(state, store);
  expect(readPaidState(store)).toEqual(state);
  keepPaidState({ receipt: { reference: '2' } }, store);
  expect(readPaidState(store)).toEqual({ receipt: { reference: '2' } });
  forgetPaidState(store);
  expect(readPaidState(store)).toBeNull();
});

test('what cannot be read is nothing', () => {
  const store = memory();
  store.setItem('paid', '{');
  expect(readPaidState(store)).toBeNull();
});
