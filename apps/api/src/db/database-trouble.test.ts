import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { databaseTrouble } from './database-trouble.ts';

const failed = (code: string) =>
  new DrizzleQueryError('SELECT', [], Object.assign(new Error('refused'), { code }));

test.each(['55P03', '57014', '40001', '40P01'])('after %s nothing was done', (state) => {
  expect(databaseTrouble(failed(state))).toBe('locked');
});

test.each(['57P01', '08006', '53300', 'ECONNRESET', '25006', '55000'])(
  'after %s nobody knows whether it was done',
  (state) => {
    expect(databaseTrouble(failed(state))).toBe('lost');
  },
);

test('a wrong statement does not count as database trouble', () => {
  expect(databaseTrouble(failed('42P01'))).toBeNull();
  expect(databaseTrouble(new Error('of ours'))).toBeNull();
});
