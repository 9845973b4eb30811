import { expect, test } from 'vitest';
import { nameSearch } from './name-search.ts';

test.each([
  ['Zoë O’Brien', '"zoe brien"'],
  ['May "Visa" Quill', '"may visa quill"'],
  ['One Two Three Four Five Two Six Seven Eight Nine Ten', '"one two three four five six seven eight"'],
  ['x'.repeat(120), `"${'x'.repeat(98)}"`],
  ['李', null],
  ['A & O', null],
])('%s is searched by %s', (name, search) => {
  expect(nameSearch(name)).toBe(search);
});
