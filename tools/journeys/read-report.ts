import { relative } from 'node:path';
import { root } from '../root.ts';

type Suite = { suites?: Suite[]; specs?: Spec[] };
type Spec = { title: string; file: string; line: number; tests: { results: Result[] }[] };
type Result = { status: string; error?: { message?: string } };
type Report = Suite & {
  config: { rootDir: string };
  errors: { message?: string }[];
  stats: { expected: number };
};

export type Red = { where: string; title: string; error: string };

/** A run's result from Playwright's JSON. A journey that passed only on a retry is red. */
export function readReport(json: string): { passed: number; reds: Red[] } {
  const report = JSON.parse(json) as Report;
  const reds = specsOf(report).flatMap(({ title, file, line, tests }) => {
    const failed = tests
      .flatMap(({ results }) => results)
      .filter(({ status }) => status !== 'passed' && status !== 'skipped');
    const [first] = failed;
    if (!first) return [];
    const where = `${relative(root, `${report.config.rootDir}/${file}`)}:${line}`;
    return [{ where, title, error: plain(first.error?.message ?? first.status) }];
  });
  const broken = report.errors.map(({ message = '' }) => ({
    where: 'the run itself',
    title: '',
    error: plain(message),
  }));
  return { passed: report.stats.expected, reds: [...reds, ...broken] };
}

function specsOf({ specs = [], suites = [] }: Suite): Spec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** Strips terminal colors. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what begins a color.
  return text.replace(/\u001b\[[0-9;]*m/g, '').trim();
}
