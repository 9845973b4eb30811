import { expect, test } from 'vitest';
import { TERMS_LABELS, workOf } from './work-to-accept.ts';

const done = { completedDate: '2026-11-03T12:00:00-06:00' };
const toCome = { completedDate: null };

test.each([
  [[done], 'completed'],
  [[toCome], 'upcoming'],
  [[done, toCome], 'both'],
  [[toCome, toCome], 'upcoming'],
  [[], 'completed'],
] as const)('of %j the work is %s', (invoices, work) => {
  expect(workOf(invoices)).toBe(work);
});

test('work to come is never said to be done', () => {
  expect(TERMS_LABELS.completed).toContain('was done');
  expect(TERMS_LABELS.upcoming).not.toContain('was done');
  for (const label of Object.values(TERMS_LABELS)) expect(label).toContain('I accept the terms');
});
