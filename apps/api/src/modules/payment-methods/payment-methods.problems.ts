import { HttpProblem } from '../../http/problem.ts';

/** Somebody else's card hears the same as one that does not exist. */
export const paymentMethodNotFound = () => new HttpProblem(404, 'Payment method not found.');
