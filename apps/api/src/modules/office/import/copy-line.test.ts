import { expect, test } from 'vitest';
import { copyLine } from './copy-line.ts';

test.each([
  ['numbers, truth and nothing', [1, -2, true, false, null], '1\t-2\ttrue\tfalse\t\\N\n'],
  ['an empty text is not nothing', [''], '\n'],
  ['what would end a value or a row', ['a\tb\nc\rd\\e'], 'a\\tb\\nc\\rd\\\\e\n'],
  ['the text of nothing', ['\\N'], '\\\\N\n'],
  ['the end of the data', ['\\.'], '\\\\.\n'],
])('%s', (_what, values, line) => {
  expect(copyLine(values)).toBe(line);
});
