import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { readReport } from './read-report.ts';

const spec = (title: string, line: number, ...results: object[]) => ({
  title,
  file: 'pay.spec.ts',
  line,
  tests: [{ results }],
});

test('names every red journey with its place, title and first error, however deeply nested', () => {
  const report = {
    config: { rootDir: `${root}/e2e` },
    errors: [],
    stats: { expected: 1 },
    suites: [
      {
        specs: [spec('pays', 3, { status: 'passed' })],
        suites: [
          {
            specs: [
              spec('waits', 7, { status: 'timedOut', error: { message: '\u001b[31mtoo late\u001b[39m' } }),
              spec('passes when repeated', 9, { status: 'failed' }, { status: 'passed' }),
            ],
          },
        ],
      },
    ],
  };
  expect(readReport(JSON.stringify(report))).toEqual({
    passed: 1,
    reds: [
      { where: 'e2e/pay.spec.ts:7', title: 'waits', error: 'too late' },
      { where: 'e2e/pay.spec.ts:9', title: 'passes when repeated', error: 'failed' },
    ],
  });
});

test('a run that breaks without naming a journey is red', () => {
  const report = {
    config: { rootDir: root },
    errors: [{ message: 'no browser' }],
    stats: { expected: 0 },
    suites: [],
  };
  expect(readReport(JSON.stringify(report)).reds).toMatchObject([{ error: 'no browser' }]);
});
