import { HttpProblem } from '../../http/problem.ts';

export const userNotFound = () => new HttpProblem(404, 'There is no account with this email address.');
