import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, type Step, type StepResult } from './run-step.ts';
import type { FileTime } from './slowest-files.ts';

type Suite = { file: string; suites?: Suite[]; specs?: { tests: { results: { duration: number }[] }[] }[] };
type PlaywrightReport = {
  errors: unknown[];
  suites?: Suite[];
  stats: { expected: number; unexpected: number; flaky: number };
};

/** The browser journeys, through the whole system. */
export function playwrightStep(reportFolder: string): Step {
  return {
    name: 'browser journeys',
    run: async () => {
      const report = join(reportFolder, 'playwright.json');
      // The reporter that prints failures last, where they are easy to find.
      const { code, output } = await runProgram('playwright', ['test', '-c', 'e2e', '--reporter=dot,json'], {
        ...process.env,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        FORCE_COLOR: '0',
      });
      const written = existsSync(report) ? readFileSync(report, 'utf8') : undefined;
      return { ...countPlaywright(written, code), files: timePlaywright(written), output };
    },
  };
}

/** A test that passed only on a retry counts as failed, and so does a run that ended badly without naming a test. */
export function countPlaywright(
  report: string | undefined,
  code: number,
): Pick<StepResult, 'passed' | 'failed'> {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { stats, errors } = JSON.parse(report) as PlaywrightReport;
  const failed = stats.unexpected + stats.flaky + errors.length;
  const isUnexplained = failed === 0 && (code !== 0 || stats.expected === 0);
  return { passed: stats.expected, failed: isUnexplained ? 1 : failed };
}

/** A file's time is the sum of its journeys, although they run in parallel. */
export function timePlaywright(report: string | undefined): FileTime[] {
  if (report === undefined) return [];
  const { suites = [] } = JSON.parse(report) as PlaywrightReport;
  return suites.map((suite) => ({ file: `e2e/${suite.file}`, seconds: millisecondsOf(suite) / 1000 }));
}

function millisecondsOf({ specs = [], suites = [] }: Suite): number {
  const results = specs.flatMap(({ tests }) => tests.flatMap((each) => each.results));
  return [...results.map(({ duration }) => duration), ...suites.map(millisecondsOf)].reduce(
    (sum, each) => sum + each,
    0,
  );
}
