import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSteps } from './checks/run-steps.ts';
import { house, journeyTypes, lint, names, officeTypes, types, webTypes } from './checks/static-checks.ts';
import { vitestStep } from './checks/vitest-step.ts';

/** `npm run check`: everything that can be checked without a database, a build or a browser. */
await runSteps(async (run) => {
  const reports = mkdtempSync(join(tmpdir(), 'brightpane-reports-'));
  const unitTests = vitestStep(reports, { name: 'unit tests', projects: ['unit', 'web'] });
  await Promise.all([run(names, house, lint, types, journeyTypes, webTypes, officeTypes), run(unitTests)]);
  rmSync(reports, { recursive: true, force: true });
});
