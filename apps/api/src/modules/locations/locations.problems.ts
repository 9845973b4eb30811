import { HttpProblem } from '../../http/problem.ts';

/** The specification's words, also for somebody else's location. */
export const locationNotFound = () => new HttpProblem(404, 'Location not found');
