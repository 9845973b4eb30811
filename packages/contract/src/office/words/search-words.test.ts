import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test.each([
  ['Zoë O’Brien-Müller', ['zoe', 'brien', 'muller']],
  ['Ştefan  Ñandú_7 (22)', ['stefan', 'nandu', '22']],
  ['Nguyễn Thị Ánh', ['nguyen', 'thi', 'anh']],
  // Only the accents of Latin, Greek and Cyrillic letters are left out: elsewhere a mark is half of the word.
  ['أحمد', ['أحمد']],
  ['राम', ['राम']],
  ['สุดา', ['สุดา']],
  ['ながの', ['ながの']],
  ['ナガノ・ジロウ', ['ナガノ・ジロウ']],
  ['中村　太郎', ['中村', '太郎']],
  ['“—” …', []],
  ['・・', []],
])('%s is searched by the words %j', (text, words) => {
  expect(searchWords(text)).toEqual(words.map((word) => word.normalize('NFKD')));
});
