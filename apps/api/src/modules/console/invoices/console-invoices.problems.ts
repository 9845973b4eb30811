import { HttpProblem } from '../../../http/problem.ts';

export const officeInvoiceNotFound = () =>
  new HttpProblem(404, 'There is no work order with this number at this franchise.');
