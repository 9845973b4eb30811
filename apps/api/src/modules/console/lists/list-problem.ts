import type { HttpProblem } from '../../../http/problem.ts';
import { cursorUnknown, searchUnclear } from './lists.problems.ts';

/** Why a list could not be asked for. */
export const listProblem = (
  refused: { code: 'cursor-unknown' } | { code: 'search-unclear'; sentence: string },
): HttpProblem => (refused.code === 'cursor-unknown' ? cursorUnknown() : searchUnclear(refused.sentence));
