import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb, WEB_FOLDER } from './build-web.ts';
import { checkBundle } from './checks/check-bundle.ts';
import { playwrightStep } from './checks/playwright-step.ts';
import { runCheck, runStep, type Step, type StepResult, stopProgress } from './checks/run-step.ts';
import { vitestStep } from './checks/vitest-step.ts';
import { requireChromium } from './require-chromium.ts';

/** `npm test`: every check and test, whatever fails, then one line that counts them. */
async function main(): Promise<void> {
  const begin = performance.now();
  const reports = mkdtempSync(join(tmpdir(), 'brightpane-reports-'));
  const results: StepResult[] = [];
  const run = async (...steps: Step[]) => {
    for (const step of steps) results.push(await runStep(step));
  };
  // Ctrl-C reaches the programs by itself; other ways to stop us do not.
  process.once('SIGINT', () => stopProgress());
  process.once('SIGTERM', () => stopProgress('SIGINT'));

  // The checks and the build use one core each for much of their time; the two test runs use all there are. The web app's
  // types come after its build: both write the types of its routes.
  await Promise.all([run(lint, types, journeyTypes), run(chromium, webBuild, webTypes, bundle)]);
  await run(benches);
  await run(vitestStep(reports));
  await run(playwrightStep(reports));
  rmSync(reports, { recursive: true, force: true });

  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  process.stdout.write(
    `in ${((performance.now() - begin) / 1000).toFixed(0)} s\n${passed} passed, ${failed} failed\n`,
  );
  if (failed > 0 || passed === 0) process.exitCode = 1;
}

const lint: Step = { name: 'format and lint', run: () => runCheck('biome', ['check', '.']) };
const types: Step = { name: 'types', run: () => runCheck('tsc', ['-p', 'tsconfig.json']) };
const journeyTypes: Step = { name: 'types of the journeys', run: () => runCheck('tsc', ['-p', 'e2e']) };
const webTypes: Step = {
  name: 'types of the web app',
  run: () => runCheck('npm', ['run', 'types', '--workspace=apps/web', '--loglevel=error']),
};
const chromium: Step = { name: 'a Chromium', run: async () => asPassed(await requireChromium()) };
const webBuild: Step = { name: 'web build', run: async () => asPassed(await buildWeb()) };
/** For errors only: what they measure here is worth nothing. Those in a browser are left out. */
const benches: Step = {
  name: 'benches, short',
  run: () => runCheck('node', ['tools/bench.ts', '--short', 'apps/api/bench']),
};
const bundle: Step = { name: 'entry page budget', run: async () => asPassed(checkBundle(WEB_FOLDER)) };

function asPassed(output: string): StepResult {
  return { passed: 1, failed: 0, output };
}

await main();
