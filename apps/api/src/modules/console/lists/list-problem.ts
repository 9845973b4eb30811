import type { HttpProblem } from '../../../http/problem.ts';
import { cursorUnknown, searchUnclear } from './lists.problems.ts';

type Refused = { code: 'cursor-unknown' } | { code: 'unclear' | 'too-long'; sentence: string };

/** Why a list can't be shown. */
export const listProblem = (refused: Refused): HttpProblem =>
  refused.code === 'cursor-unknown' ? cursorUnknown() : searchUnclear(refused.sentence);
