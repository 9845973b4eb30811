import { expect, test } from 'vitest';
import { readToldBefore } from './read-told-before.ts';

const DECLINED = {
  title: 'Bad Request',
  status: 400,
  detail: 'Card declined. Your card was not charged.',
  errors: [{ code: 'NotCharged', description: 'Your card was not charged.' }],
};

test.each([
  ["a guest's", { amount: 108.25, reference: '41' }, ['41']],
  ["a customer's", { amount: 108.25, references: ['41', '42'] }, ['41', '42']],
])('reads %s payment as paid, to the cent', (_whose, body, references) => {
  expect(readToldBefore({ status: 200, body })).toEqual({ code: 'paid', amountCents: 10825, references });
});

test('reads an empty answer as a card that was added', () => {
  expect(readToldBefore({ status: 200, body: {} })).toEqual({ code: 'card-added' });
});

test('keeps a refusal as it was answered', () => {
  const told = { status: 400, body: DECLINED };
  expect(readToldBefore(told)).toEqual({ code: 'told-before', ...told });
});
