import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { ImportFaults } from './import-faults.tsx';

const fault = (line: number, column = 'amount') => ({ line, column, value: '-5', rule: 'must be positive' });

test.each([
  [2, [fault(2), fault(3)], ''],
  [3, [fault(2), fault(2, 'dueDate'), fault(3)], '1 more line is wrong.'],
  [1202, [fault(2), fault(3)], '1,200 more lines are wrong.'],
])('of %d wrong lines, those beyond the named ones are counted', (faultCount, faults, more) => {
  const words = wordsOf(<ImportFaults faultCount={faultCount} faults={faults} />);
  expect(words).toContain(`Nothing can be imported: ${faultCount.toLocaleString('en-US')} lines are wrong.`);
  expect(/\S+ more lines? (?:is|are) wrong\./.exec(words)?.[0] ?? '').toBe(more);
});
