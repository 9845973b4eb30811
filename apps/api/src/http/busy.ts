import { HttpProblem } from './problem.ts';

const BUSY = 'We are busy at the moment.';
const UNREACHABLE = 'We cannot reach our records at the moment.';

/** Nothing was done; the same request may be sent again in a moment. */
export const busy = () =>
  new HttpProblem(503, BUSY, {
    errors: [{ code: 'Busy', description: BUSY }],
    headers: { 'retry-after': '2' },
  });

/** The database does not answer. What was under way is done or not done as a whole. */
export const unreachable = () =>
  new HttpProblem(503, UNREACHABLE, {
    errors: [{ code: 'Unreachable', description: UNREACHABLE }],
    headers: { 'retry-after': '5' },
  });
