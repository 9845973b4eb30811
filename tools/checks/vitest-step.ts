import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, type Step, type StepResult } from './run-step.ts';

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
};

/** Unit and API tests. */
export function vitestStep(reportFolder: string): Step {
  return {
    name: 'unit and API tests',
    run: async () => {
      const report = join(reportFolder, 'vitest.json');
      const { code, output } = await runProgram('vitest', [
        'run',
        '--reporter=minimal',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ]);
      return { ...countVitest(existsSync(report) ? readFileSync(report, 'utf8') : undefined, code), output };
    },
  };
}

/** A file that could not even be loaded counts as one failure, and so does a bad end that no test explains. */
export function countVitest(report: string | undefined, code: number): Omit<StepResult, 'output'> {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(report) as VitestReport;
  const unloaded = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = numFailedTests + unloaded;
  const isUnexplained = failed === 0 && (code !== 0 || numPassedTests === 0);
  return { passed: numPassedTests, failed: isUnexplained ? 1 : failed };
}
