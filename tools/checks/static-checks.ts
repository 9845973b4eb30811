import { checkHouse } from './house/house-figures.ts';
import { checkNames } from './retired-names.ts';
import { runCheck, type Step } from './run-step.ts';

export const lint: Step = { name: 'format and lint', run: () => runCheck('biome', ['check', '.']) };
export const types: Step = { name: 'types', run: () => runCheck('tsc', ['-p', 'tsconfig.json']) };
export const journeyTypes: Step = {
  name: 'types of the journeys',
  run: () => runCheck('tsc', ['-p', 'e2e']),
};
/** Generates the types of the web app's routes. Its build writes them too, so the two must not run at once. */
export const webTypes: Step = {
  name: 'types of the web app',
  run: () => runCheck('npm', ['run', 'types', '--workspace=apps/web', '--loglevel=error']),
};
/** The same for the console. */
export const officeTypes: Step = {
  name: 'types of the office console',
  run: () => runCheck('npm', ['run', 'types', '--workspace=apps/office', '--loglevel=error']),
};
/** Retired names must not come back: `docs/glossary.md` lists them and what to say instead. */
export const names: Step = { name: 'retired names', run: async () => checkNames() };
/** The house's figures: its folders, its table of arrows, its import cycles. */
export const house: Step = { name: 'the house', run: async () => checkHouse() };
