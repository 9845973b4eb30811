import { expect, test } from 'vitest';
import { describeTerms } from './describe-terms.ts';
import { nameDays, readDays, resolveDays } from './read-days.ts';
import { readSearch } from './read-search.ts';

const SUNDAY = '2026-11-22';

const shown = (search: string, today = SUNDAY) => {
  const read = readSearch(search);
  return read.ok ? describeTerms(read.value, today).map(({ text }) => text) : read.sentence;
};

test.each([
  ['ana@example.com', ['email ana@example.com']],
  ['Ana@', ['email ana@']],
  ['1042', ['work order 1042 or card ending 1042']],
  ['104', ['work order 104']],
  ['104200', ['work order 104200 or reference 104200']],
  ['12345678901', ['reference 12345678901']],
  ['1234567890123', ['“1234567890123”']],
  ['0042', ['work order 42 or card ending 0042']],
  ['card 2224', ['card ending 2224']],
  ['card ending 2224', ['card ending 2224']],
  ['ending 2224', ['card ending 2224']],
  ['x2224', ['card ending 2224']],
  ['x 2224', ['card ending 2224']],
  ['*2224', ['card ending 2224']],
  ['card *2224', ['card ending 2224']],
  ['ref 123456', ['reference 123456']],
  ['wo 1042', ['work order 1042']],
  ['#1042', ['work order 1042']],
  ['$120', ['$120.00']],
  ['120.00', ['$120.00']],
  ['$1,200.50', ['$1,200.50']],
  ['about 120', ['about $120.00']],
  ['about $120', ['about $120.00']],
  ['~120', ['about $120.00']],
  ['$100..150', ['$100.00 to $150.00']],
  ['>100', ['above $100.00']],
  ['<50', ['below $50.00']],
  ['today', ['Nov 22, 2026']],
  ['yesterday', ['Nov 21, 2026']],
  ['monday', ['Nov 16, 2026']],
  ['Sunday', ['Nov 22, 2026']],
  ['this week', ['Nov 16, 2026 to Nov 22, 2026']],
  ['last week', ['Nov 9, 2026 to Nov 15, 2026']],
  ['this month', ['Nov 1, 2026 to Nov 30, 2026']],
  ['last month', ['Oct 1, 2026 to Oct 31, 2026']],
  ['Nov 3', ['Nov 3, 2026']],
  ['november 30', ['Nov 30, 2025']],
  ['Nov 3, 2024', ['Nov 3, 2024']],
  ['Sept. 3', ['Sep 3, 2026']],
  ['mary 12 maple', ['“mary”', 'work order 12 or “12”', '“maple”']],
  ['Julia 5', ['“julia”', 'work order 5 or “5”']],
  ['marchetti 20', ['“marchetti”', 'work order 20 or “20”']],
  ['octavia 7/8', ['“octavia”', 'Jul 8, 2026']],
  ['11/3', ['Nov 3, 2026']],
  ['11/3/2025', ['Nov 3, 2025']],
  ['2026-11-03', ['Nov 3, 2026']],
  ['visa', ['Visa']],
  ['amex discover', ['American Express', 'Discover']],
  ['b1-0123456789abcdef01234567', ['order b1-0123456789abcdef01234567']],
  ['F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6', ['payment f81d4fae-7dec-11d0-a765-00a0c91e6bf6']],
  ['Zoë', ['“zoe”']],
  ["O'Brien", ['“brien”']],
  // Each sign folds to the word of its number, and to many words.
  ['⒄'.repeat(100), ['“17”']],
  ['Walla-Walla', ['“walla”']],
  ['one one one one one.one one', Array.from({ length: 6 }, () => '“one”')],
  [
    'one two three four five six seven Eight.eight',
    'one two three four five six seven eight'.split(' ').map((word) => `“${word}”`),
  ],
  ['"Ana Ruiz"', ['“ana ruiz”']],
  ['"nov 3"', ['“nov”']],
  ['12 maple', ['work order 12 or “12”', '“maple”']],
  ['#12 maple', ['work order 12', '“maple”']],
  ['payment for 1042', ['“payment”', 'work order 1042 or card ending 1042 or “1042”']],
  ['2224 about $120 yesterday', ['work order 2224 or card ending 2224', 'about $120.00', 'Nov 21, 2026']],
  ['from the office', ['“office”']],
  ['', []],
  ['   ', []],
  ['x', []],
  ['" "', []],
  ["'; DROP TABLE invoice --", ['“drop”', '“table”', '“invoice”']],
  ['%', []],
  ['a_\\b', []],
  ['2/30', ['“30”']],
])('reads %j as %j', (search, readings) => {
  expect(shown(search)).toEqual(readings);
});

test.each([
  ['yesterday today', 'Use one date.'],
  ['nov 3 11/4', 'Use one date.'],
  ['$120 about $100', 'Use one amount.'],
  ['one two three four five six seven eight nine', 'Use at most 8 words.'],
  ['one.two.three.four.five.six.seven.eight.nine', 'Use at most 8 words.'],
  ['"one two three four five six" seven.eight nine', 'Use at most 8 words.'],
  ['one.two.three.four.five.six.seven.eight 62704', 'Use at most 8 words.'],
  ['a'.repeat(101), 'Use at most 100 characters.'],
])('cannot read %j: %s', (search, sentence) => {
  expect(shown(search)).toBe(sentence);
});

test('reads about an amount as within five percent, and at least a dollar', () => {
  const amountOf = (search: string) => {
    const read = readSearch(search);
    const reading = read.ok ? read.value[0]?.readings[0] : undefined;
    return reading?.kind === 'amount' ? [reading.fromCents, reading.toCents] : undefined;
  };
  expect(amountOf('about $120')).toEqual([114_00, 126_00]);
  expect(amountOf('~5')).toEqual([4_00, 6_00]);
  expect(amountOf('>100')).toEqual([100_01, null]);
  expect(amountOf('<50')).toEqual([null, 49_99]);
});

test('each chip knows the search without it', () => {
  const read = readSearch('2224 about $120 "Ana Ruiz"');
  if (!read.ok) throw new Error(read.sentence);
  expect(describeTerms(read.value, SUNDAY).map(({ without }) => without)).toEqual([
    'about $120 "Ana Ruiz"',
    '2224 "Ana Ruiz"',
    '2224 about $120',
  ]);
});

test.each([
  [['feb', '29'], '2026-11-22', 'Feb 29, 2024'],
  [['monday'], '2026-11-16', 'Nov 16, 2026'],
  [['last', 'week'], '2026-01-01', 'Dec 22, 2025 to Dec 28, 2025'],
  [['last', 'month'], '2026-01-31', 'Dec 1, 2025 to Dec 31, 2025'],
  [['this', 'month'], '2024-02-10', 'Feb 1, 2024 to Feb 29, 2024'],
  [['yesterday'], '2026-03-01', 'Feb 28, 2026'],
])('reads %j on %s as the days %s', (words, today, days) => {
  const read = readDays(words);
  expect(read && nameDays(resolveDays(read.days, today))).toBe(days);
});
