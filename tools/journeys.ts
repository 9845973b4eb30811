import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBrowserApps } from './build-web.ts';
import { runProgram, stopProgress } from './checks/run-step.ts';
import { type Red, readReport } from './journeys/read-report.ts';
import { requireChromium } from './machine/require-chromium.ts';
import { root } from './root.ts';

/** `npm run journeys`: plays the browser journeys many times, several runs in parallel, and names every red one. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '1' },
  },
});
const times = Number(values.times);
const atOnce = Number(values['at-once']);
if (!(times >= 1 && atOnce >= 1)) throw new Error('--times and --at-once are numbers from 1.');

/** Ends with the process id, so that a later run can remove it once this one is over. */
const folder = join(root, `e2e/test-results/journeys-${process.pid}`);
process.once('SIGINT', () => stopProgress());
process.once('SIGTERM', () => stopProgress('SIGINT'));

const say = (line: string) => process.stdout.write(`${line}\n`);

/** One whole run, with its own system, report and results. Other arguments go to Playwright. */
async function playOnce(run: number): Promise<{ passed: number; reds: Red[] }> {
  const begin = performance.now();
  const output = join(folder, `run-${run}`);
  const report = join(folder, `run-${run}.json`);
  const { code, output: said } = await runProgram(
    'playwright',
    ['test', '-c', 'e2e', '--reporter=json', ...positionals],
    {
      ...process.env,
      JOURNEYS_OUTPUT: output,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      FORCE_COLOR: '0',
      ...(process.env.SCREENS && { SCREENS: join(output, 'screens') }),
    },
  );
  const { passed, reds } = existsSync(report)
    ? readReport(readFileSync(report, 'utf8'))
    : { passed: 0, reds: [] };
  if (reds.length === 0 && (code !== 0 || passed === 0))
    reds.push({ where: 'the run itself', title: `ended with ${code}`, error: said.trim().slice(-2_000) });
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  say(
    `${reds.length === 0 ? '✓' : '✗'} run ${run} of ${times}: ${passed} passed, ${reds.length} failed, ${seconds} s`,
  );
  for (const { where, title, error } of reds)
    say(`  ✗ ${where} ${title}\n    ${error.replaceAll('\n', '\n    ')}`);
  return { passed, reds };
}

await requireChromium();
await buildBrowserApps();
const results: { passed: number; reds: Red[] }[] = [];
let next = 1;
await Promise.all(
  Array.from({ length: Math.min(atOnce, times) }, async () => {
    while (next <= times) results.push(await playOnce(next++));
  }),
);

const reds = results.flatMap((result) => result.reds);
const passed = results.reduce((sum, result) => sum + result.passed, 0);
for (const [title, same] of Map.groupBy(reds, ({ where, title }) => `${where} ${title}`))
  say(`✗ ${same.length} times: ${title}`);
say(`${times} runs, ${atOnce} at once: ${passed} passed, ${reds.length} failed`);
if (reds.length > 0) {
  say(`What they left is in ${folder}.`);
  process.exitCode = 1;
}
