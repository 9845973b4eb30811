import { cents } from '@brightpane/money/cents';
import { expect, test } from 'vitest';
import { refundEndedMail, refundUndoneMail } from './refunds.ts';

const refund = (...fellDue: number[]) => ({
  method: 'refund' as const,
  amountCents: cents(20_00),
  card: 'Visa xxxx2224',
  reference: '881',
  lines: fellDue.map((fellDueCents, index) => ({
    workOrderNumber: 1001 + index,
    amountCents: cents(20_00),
    fellDueCents: cents(fellDueCents),
  })),
});

test.each([
  ['a tip or a credited part, which never fell due', refund(0), []],
  ['one work order', refund(20_00), ['$20.00 counts as paid again on work order 1001.']],
  ['two, of which one fell due in part', refund(0, 5_00), ['$5.00 counts as paid again on work order 1002.']],
])('a refund that was taken back names as paid again what fell due: %s', (_what, given, paidAgain) => {
  const { text } = refundUndoneMail(given);
  expect(text).toMatch(/The money was not returned\.$/m);
  expect(text.match(/.*paid again.*/g) ?? []).toEqual(paidAgain);
});

test('asks for attention only where something may be left to do', () => {
  const subject = (isWithdrawn: boolean) =>
    refundEndedMail({ ...refund(0), words: 'Withdrawn.', isWithdrawn }).subject;
  expect(subject(true)).toBe('The refund of $20.00 was withdrawn');
  expect(subject(false)).toBe('The refund of $20.00 needs your attention');
});
