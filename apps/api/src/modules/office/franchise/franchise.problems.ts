import { coded, editedMeanwhile, notAllowed, personNeeded } from '../../../http/office.problems.ts';
import { HttpProblem } from '../../../http/problem.ts';
import type { SettingsRefusal } from './change-franchise.ts';

const PROBLEMS = {
  'not-found': () => new HttpProblem(404, 'This franchise is not known. Import its invoices first.'),
  'not-allowed': notAllowed,
  'person-needed': personNeeded,
  'edited-meanwhile': editedMeanwhile,
} satisfies Record<SettingsRefusal, () => HttpProblem>;

export const settingsProblem = (refusal: SettingsRefusal): HttpProblem => PROBLEMS[refusal]();

export const versionRequired = () => coded(428, 'VersionRequired', 'Load these settings again, then save.');
