import { HttpProblem } from '../../http/problem.ts';

/** The spec's words for a look-up that finds nothing, also where the work order of a payment is not there. */
export const invoiceNotFound = () =>
  new HttpProblem(404, 'Invoice not found. Please check your information and try again.');
