import type { HttpProblem } from '../../../http/problem.ts';
import { cursorUnknown, searchUnclear } from './lists.problems.ts';

type Refused =
  | { code: 'cursor-unknown' | 'many-customers' }
  | { code: 'unclear' | 'too-long'; sentence: string };

/** Why a list or its file can't be given. */
export function listProblem(refused: Refused): HttpProblem {
  switch (refused.code) {
    case 'cursor-unknown':
      return cursorUnknown();
    case 'many-customers':
      return searchUnclear('Too many customers match for a file. Type more of the name.');
    default:
      return searchUnclear(refused.sentence);
  }
}
