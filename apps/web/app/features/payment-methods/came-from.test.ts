import { expect, test } from 'vitest';
import { cameFrom } from './came-from.ts';

test.each([
  [{ returnTo: '/invoices' }, '/invoices'],
  [{ returnTo: '/locations/7' }, '/locations/7'],
  [{ returnTo: '//elsewhere.example' }, '/payment-methods'],
  [{ returnTo: '/\\elsewhere.example' }, '/payment-methods'],
  [{ returnTo: 'https://elsewhere.example' }, '/payment-methods'],
  [{ returnTo: 7 }, '/payment-methods'],
  [{}, '/payment-methods'],
  [null, '/payment-methods'],
])('who adds a card with the history state %j is led to %s', (state, path) => {
  expect(cameFrom(state)).toBe(path);
});
