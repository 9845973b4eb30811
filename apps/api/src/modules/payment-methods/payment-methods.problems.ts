import { HttpProblem } from '../../http/problem.ts';

/** The same for somebody else's card as for one that doesn't exist. */
export const paymentMethodNotFound = () => new HttpProblem(404, 'Payment method not found.');
