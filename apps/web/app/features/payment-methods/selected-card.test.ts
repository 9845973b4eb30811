import { expect, test } from 'vitest';
import { selectedCard } from './selected-card.ts';

const card = (id: string, expired = false) => ({
  id,
  maskedCard: 'xxxx2224',
  brand: 'Visa',
  expires: '2030-12',
  expired,
  addAgain: id === 'lost',
});

test.each([
  ['no card', [], null, null],
  ['the only card', [card('a')], null, 'a'],
  ['none of two', [card('a'), card('b')], null, null],
  ['the one that was selected', [card('a'), card('b')], 'b', 'b'],
  ['none where the selected one is gone and two are left', [card('a'), card('b')], 'c', null],
  ['the only one where the selected one is gone', [card('a')], 'c', 'a'],
  ['not an expired one, though it is the only one', [card('a', true)], null, null],
  ['not an expired one, though it was selected', [card('a', true), card('b')], 'a', null],
  ['not one to be added again, though it is the only one', [card('lost')], null, null],
  ['not one to be added again, though it was selected', [card('lost'), card('b')], 'lost', null],
  ['none of two where one has expired', [card('a', true), card('b')], null, null],
])('a payment is made with %s', (_what, cards, selectedId, id) => {
  expect(selectedCard(cards, selectedId)?.id ?? null).toBe(id);
});
