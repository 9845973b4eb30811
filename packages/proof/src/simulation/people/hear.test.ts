import { cents } from '@brightpane/money/cents';
import { expect, test } from 'vitest';
import {
  refusalAnswer,
  wireAnswer,
} from '../../../../../apps/api/src/modules/payments/pay/replay/payment-answer.ts';
import { hear } from './pay.ts';

type Refusal = Parameters<typeof refusalAnswer>[0];

test.each<Refusal>([
  { code: 'credit-too-large', workOrderNumber: 1001, maxCreditPercent: 10 },
  { code: 'total-not-positive', workOrderNumber: 1001 },
  { code: 'invoice-changed', workOrderNumber: 1001, balanceCents: cents(100_00) },
])('whoever is refused before anything begins, as by $code, has heard something certain', (refusal) => {
  expect(hear(wireAnswer(refusalAnswer(refusal), 'guest'))).toBe('refused');
});

test.each<Refusal>([
  { code: 'in-progress', workOrderNumber: 1001 },
  { code: 'unconfirmed' },
  { code: 'busy' },
  { code: 'provider-failing' },
])('whoever is told to try again, as by $code, has not', (refusal) => {
  expect(hear(wireAnswer(refusalAnswer(refusal), 'guest'))).toBe('nothing certain');
});

test('whoever is told that their payment was found is not left to press again', () => {
  expect(hear(wireAnswer(refusalAnswer({ code: 'payment-found', workOrderNumber: 1001 }), 'guest'))).toBe(
    'being checked',
  );
});

test('what was paid at another price is not heard as paid', () => {
  const answer = refusalAnswer({
    code: 'paid-earlier',
    paidCents: cents(100_00),
    references: ['1'],
    dueCents: cents(50_00),
  });
  expect(hear(wireAnswer(answer, 'guest'))).toBe('paid earlier');
});
