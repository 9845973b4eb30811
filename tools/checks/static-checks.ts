import { checkHouse } from './house-figures.ts';
import { checkNames } from './retired-names.ts';
import { runCheck, type Step } from './run-step.ts';

export const lint: Step = { name: 'format and lint', run: () => runCheck('biome', ['check', '.']) };
export const types: Step = { name: 'types', run: () => runCheck('tsc', ['-p', 'tsconfig.json']) };
export const journeyTypes: Step = {
  name: 'types of the journeys',
  run: () => runCheck('tsc', ['-p', 'e2e']),
};
/** Writes the types of the web app's routes, as its build does: the two take turns. */
export const webTypes: Step = {
  name: 'types of the web app',
  run: () => runCheck('npm', ['run', 'types', '--workspace=apps/web', '--loglevel=error']),
};
/** The same for the console. */
export const officeTypes: Step = {
  name: 'types of the office console',
  run: () => runCheck('npm', ['run', 'types', '--workspace=apps/office', '--loglevel=error']),
};
/** A name that was given up does not come back: `docs/glossary.md` says which, and what is said instead. */
export const names: Step = { name: 'retired names', run: async () => checkNames() };
/** How large the house has become: its folders, its table of arrows, its circles. */
export const house: Step = { name: 'the house', run: async () => checkHouse() };
