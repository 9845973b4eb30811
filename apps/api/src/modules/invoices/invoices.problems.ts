import { HttpProblem } from '../../http/problem.ts';

/** The specification's words for a look-up without a result, and for a payment of a missing work order. */
export const invoiceNotFound = () =>
  new HttpProblem(404, 'Invoice not found. Please check your information and try again.');
