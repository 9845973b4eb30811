import { expect, test } from 'vitest';
import { countPlaywright, timePlaywright } from './playwright-step.ts';

const report = (expected: number, unexpected: number, flaky = 0, errors: object[] = []) =>
  JSON.stringify({ stats: { expected, unexpected, flaky }, errors });

test.each([
  ['all passed', report(7, 0), 0, { passed: 7, failed: 0 }],
  ['two failed', report(5, 2), 1, { passed: 5, failed: 2 }],
  ['one passed only when repeated', report(5, 0, 1), 0, { passed: 5, failed: 1 }],
  ['the system did not start', report(0, 0, 0, [{}]), 1, { passed: 0, failed: 1 }],
  ['a bad end that no test explains', report(7, 0), 1, { passed: 7, failed: 1 }],
  ['no tests', report(0, 0), 0, { passed: 0, failed: 1 }],
  ['no report', undefined, 1, { passed: 0, failed: 1 }],
])('%s', (_what, written, code, counts) => {
  expect(countPlaywright(written, code)).toEqual(counts);
});

test("adds up a file's journeys, with groups and repeats", () => {
  const spec = (...durations: number[]) => ({
    tests: [{ results: durations.map((duration) => ({ duration })) }],
  });
  const suites = [
    { file: 'a.spec.ts', specs: [spec(1_000)], suites: [{ file: 'a.spec.ts', specs: [spec(200, 300)] }] },
  ];
  expect(timePlaywright(JSON.stringify({ stats: {}, errors: [], suites }))).toEqual([
    { file: 'e2e/a.spec.ts', seconds: 1.5 },
  ]);
  expect(timePlaywright(undefined)).toEqual([]);
});
