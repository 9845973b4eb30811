import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOffice, buildWeb, OFFICE_FOLDER, WEB_FOLDER } from './build-web.ts';
import { checkPayersApart } from './checks/build-payers-apart.ts';
import { checkBundle } from './checks/check-bundle.ts';
import { checkOfficeBundle } from './checks/check-office-bundle.ts';
import { checkPayerScreens } from './checks/check-payer-screens.ts';
import { playwrightStep } from './checks/playwright-step.ts';
import { runCheck, type Step, type StepResult } from './checks/run-step.ts';
import { runSteps } from './checks/run-steps.ts';
import { house, journeyTypes, lint, names, officeTypes, types, webTypes } from './checks/static-checks.ts';
import { vitestStep } from './checks/vitest-step.ts';
import { requireChromium } from './machine/require-chromium.ts';

const chromium: Step = { name: 'a Chromium', run: async () => asPassed(await requireChromium()) };
const webBuild: Step = { name: 'web build', run: async () => asPassed(await buildWeb()) };
const officeBuild: Step = { name: 'console build', run: async () => asPassed(await buildOffice()) };
/** Only finds errors: figures measured here mean nothing. Browser benches are left out. */
const benches: Step = {
  name: 'benches, short',
  run: () => runCheck('node', ['tools/bench.ts', '--short', 'apps/api/bench']),
};
const bundle: Step = { name: 'entry page budget', run: async () => asPassed(checkBundle(WEB_FOLDER)) };
const payerScreens: Step = {
  name: 'screens budget',
  run: async () => asPassed(checkPayerScreens(WEB_FOLDER)),
};
const payersApart: Step = {
  name: 'payers without console',
  run: async () => asPassed(await checkPayersApart(WEB_FOLDER)),
};
const officeBundle: Step = {
  name: 'console budget',
  run: async () => asPassed(checkOfficeBundle(OFFICE_FOLDER)),
};

function asPassed(output: string): StepResult {
  return { passed: 1, failed: 0, output };
}

/** `npm test`: every check and test, whatever fails; the last line counts them. */
await runSteps(async (run) => {
  const reports = mkdtempSync(join(tmpdir(), 'brightpane-reports-'));
  // Checks, builds and benches mostly use one core each; the two test runs use all cores. The web app's types come after
  // its build, because both write the types of its routes.
  await Promise.all([
    run(names, house, lint, types, journeyTypes),
    run(
      chromium,
      webBuild,
      webTypes,
      bundle,
      payerScreens,
      payersApart,
      officeBuild,
      officeTypes,
      officeBundle,
    ),
    run(benches),
  ]);
  await run(vitestStep(reports, { name: 'unit and API tests' }));
  await run(playwrightStep(reports));
  rmSync(reports, { recursive: true, force: true });
});
