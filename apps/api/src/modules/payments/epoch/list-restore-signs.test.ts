import { expect, test } from 'vitest';
import { listRestoreSigns } from './list-restore-signs.ts';

const STORED = ['7301', '5', '00000001', '1795.5', '16400', '16410', '812'];
const signsOf = (changes: Record<number, string>, given: object = {}) =>
  listRestoreSigns({
    stored: STORED,
    read: STORED.map((part, index) => changes[index] ?? part),
    waitsForStandby: false,
    isRemembered: true,
    ...given,
  });
const START = { 3: '1796.5' };
const PROMOTED = { 2: '00000002', ...START };

test('a start of the same cluster is no sign of a restore', () => {
  expect(signsOf(START)).toEqual([]);
});

test.each([
  ['another cluster', { 0: '7302', ...START }, ['cluster']],
  ['another database of the cluster', { 1: '6' }, ['database']],
  [
    'a dump put back in place',
    { 4: '16500', 5: '16510', 6: '900' },
    ['payments table', 'charges table', 'row'],
  ],
  ['a promotion', PROMOTED, ['time line']],
])('%s is a sign', (_what, changes, signs) => {
  expect(signsOf(changes)).toEqual(signs);
});

test('the promotion of a standby that had every commit is none, another cluster still is', () => {
  expect(signsOf(PROMOTED, { waitsForStandby: true })).toEqual([]);
  expect(signsOf({ 0: '7302', ...PROMOTED }, { waitsForStandby: true })).toEqual(['cluster']);
});

test('a payment that this process saw and the database lacks is a sign, also at an address new to the books', () => {
  expect(signsOf({}, { isRemembered: false })).toEqual(['a payment that was seen']);
  expect(signsOf({}, { isRemembered: false, stored: null })).toEqual(['a payment that was seen']);
  expect(signsOf({}, { stored: null })).toEqual([]);
});

test('where the server hides a mark, a start is a sign; that it shows the mark by now is none', () => {
  const hidden = (index: number) => STORED.with(index, '-');
  expect(signsOf({ 0: '-', ...START }, { stored: hidden(0) })).toEqual(['cluster']);
  expect(signsOf({ 2: '-', ...START }, { stored: hidden(2) })).toEqual(['time line']);
  expect(signsOf({}, { stored: hidden(0) })).toEqual([]);
  expect(signsOf({ 0: '-' })).toEqual([]);
});

test('marks that can’t be read apart are signs', () => {
  expect(signsOf({}, { stored: ['of another database'] })).not.toEqual([]);
});
