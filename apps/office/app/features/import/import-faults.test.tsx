import { expect, test } from 'vitest';
import { wordsOf } from '../../../test/words-of.tsx';
import { ImportFaults } from './import-faults.tsx';

const fault = (line: number, column = 'amount') => ({ line, column, value: '-5', rule: 'must be positive' });

test('wrong lines that are not kept any more are told without a table', () => {
  const words = wordsOf(<ImportFaults faultCount={1} faults={[]} />);
  expect(words).toBe('Nothing can be imported: 1 line is wrong. Wrong lines are shown for 90 days.');
});

test.each([
  [2, [fault(2), fault(3)], ''],
  [3, [fault(2), fault(2, 'dueDate'), fault(3)], '1 more line is wrong.'],
  [1202, [fault(2), fault(3)], '1,200 more lines are wrong.'],
])('of %d wrong lines, those beyond the named ones are counted', (faultCount, faults, more) => {
  const words = wordsOf(<ImportFaults faultCount={faultCount} faults={faults} />);
  expect(words).toContain(`Nothing can be imported: ${faultCount.toLocaleString('en-US')} lines are wrong.`);
  expect(/\S+ more lines? (?:is|are) wrong\./.exec(words)?.[0] ?? '').toBe(more);
});
