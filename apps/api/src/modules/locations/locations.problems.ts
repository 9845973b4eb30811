import { HttpProblem } from '../../http/problem.ts';

/** The spec's words. Somebody else's location hears the same as one that does not exist. */
export const locationNotFound = () => new HttpProblem(404, 'Location not found');
