import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../root.ts';
import { runProgram, type Step, type StepResult } from './run-step.ts';
import type { FileTime } from './slowest-files.ts';

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: unknown[];
  }[];
};

/** Runs these Vitest projects' tests, or all. */
export function vitestStep(
  reportFolder: string,
  { name, projects = [] }: { name: string; projects?: string[] },
): Step {
  return {
    name,
    run: async () => {
      const report = join(reportFolder, 'vitest.json');
      const { code, output } = await runProgram('vitest', [
        'run',
        ...projects.map((project) => `--project=${project}`),
        '--reporter=minimal',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ]);
      const written = existsSync(report) ? readFileSync(report, 'utf8') : undefined;
      return {
        ...countVitest(written, code),
        files: timeVitest(written),
        figures: saySkipped(written),
        output,
      };
    },
  };
}

/** A file that fails to load counts as one failure, and so does a bad exit that no test explains. */
export function countVitest(report: string | undefined, code: number): Pick<StepResult, 'passed' | 'failed'> {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(report) as VitestReport;
  const unloaded = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = numFailedTests + unloaded;
  const isUnexplained = failed === 0 && (code !== 0 || numPassedTests === 0);
  return { passed: numPassedTests, failed: isUnexplained ? 1 : failed };
}

/** Some tests read files that not every machine has; a run without them should say so. */
export function saySkipped(report: string | undefined): string[] {
  const { numPendingTests } = JSON.parse(report ?? '{"numPendingTests":0}') as Pick<
    VitestReport,
    'numPendingTests'
  >;
  return numPendingTests === 0
    ? []
    : [`${numPendingTests} skipped, as what they read is not on this machine`];
}

export function timeVitest(report: string | undefined): FileTime[] {
  if (report === undefined) return [];
  return (JSON.parse(report) as VitestReport).testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
}
