import { HttpProblem } from '../../http/problem.ts';

export const noSuchCustomer = () =>
  new HttpProblem(404, 'There is no customer with this number at this franchise.');
