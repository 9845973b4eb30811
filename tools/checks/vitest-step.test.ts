import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { countVitest, saySkipped, timeVitest } from './vitest-step.ts';

const loaded = { status: 'passed', assertionResults: [{}] };
const unloaded = { status: 'failed', assertionResults: [] };
const report = (numPassedTests: number, numFailedTests: number, testResults: object[] = [loaded]) =>
  JSON.stringify({ numPassedTests, numFailedTests, testResults });

test.each([
  ['all passed', report(7, 0), 0, { passed: 7, failed: 0 }],
  ['two failed', report(5, 2), 1, { passed: 5, failed: 2 }],
  ['a file could not be loaded', report(5, 0, [loaded, unloaded]), 1, { passed: 5, failed: 1 }],
  ['a bad end that no test explains', report(7, 0), 1, { passed: 7, failed: 1 }],
  ['no tests', report(0, 0, []), 0, { passed: 0, failed: 1 }],
  ['no report', undefined, 1, { passed: 0, failed: 1 }],
])('%s', (_what, written, code, counts) => {
  expect(countVitest(written, code)).toEqual(counts);
});

test('says how many tests were skipped', () => {
  const skipping = (numPendingTests: number) => JSON.stringify({ numPendingTests });
  expect(saySkipped(skipping(2))).toEqual(['2 skipped, as what they read is not on this machine']);
  expect(saySkipped(skipping(0))).toEqual([]);
  expect(saySkipped(undefined)).toEqual([]);
});

test('tells how long each file took', () => {
  const file = { ...loaded, name: `${root}/packages/a.test.ts`, startTime: 1_000, endTime: 3_500 };
  expect(timeVitest(report(1, 0, [file]))).toEqual([{ file: 'packages/a.test.ts', seconds: 2.5 }]);
  expect(timeVitest(undefined)).toEqual([]);
});
