import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { DifferencesPart } from './differences-part.tsx';

const list = { page: { items: [], next: null, lastComparison: null }, problem: null, isLoading: false };

test.each([
  ['', 'Show acknowledged', 'No differences.'],
  ['?state=acknowledged', 'Show open', 'No difference was acknowledged yet.'],
])('with nothing to list at "%s", the other list is offered', (search, other, words) => {
  expect(wordsOf(<DifferencesPart list={list} />, { search })).toBe(`Differences ${other} ${words}`);
});
