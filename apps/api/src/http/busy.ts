import { HttpProblem } from './problem.ts';

const BUSY = 'We are busy at the moment.';
const UNREACHABLE = 'We cannot reach our records at the moment.';

/** Nothing was done, so the same request can be retried shortly. */
export const busy = () =>
  new HttpProblem(503, BUSY, {
    errors: [{ code: 'Busy', description: BUSY }],
    headers: { 'retry-after': '2' },
  });

/** The database doesn't answer. Whatever was in progress was done completely or not at all. */
export const unreachable = () =>
  new HttpProblem(503, UNREACHABLE, {
    errors: [{ code: 'Unreachable', description: UNREACHABLE }],
    headers: { 'retry-after': '5' },
  });
