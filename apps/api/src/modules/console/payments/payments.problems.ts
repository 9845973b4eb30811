import { coded } from '../../../http/office.problems.ts';
import type { HttpProblem } from '../../../http/problem.ts';
import { tooManyAttempts } from '../../limits/limits.problems.ts';

export const paymentNotFound = () => coded(404, 'NotFound', 'Payment not found.');
export const creditNotFound = () => coded(404, 'NotFound', 'There is no such credit.');
const noReceipt = () => coded(409, 'NoReceipt', 'There is no receipt: nothing was paid.');
const collectionFailing = () => coded(409, 'NoReceipt', 'There is no receipt while collection is failing.');
const emailNeeded = () => coded(400, 'InvalidEmail', 'Please enter an email address.', 'email');

type Unsent =
  | { code: 'not-found' | 'nothing-paid' | 'collection-failing' | 'email-needed' }
  | { code: 'too-many-attempts'; retryAfterSeconds: number };

/** Why a receipt wasn't sent again. */
export function receiptProblem(unsent: Unsent): HttpProblem {
  switch (unsent.code) {
    case 'not-found':
      return paymentNotFound();
    case 'nothing-paid':
      return noReceipt();
    case 'collection-failing':
      return collectionFailing();
    case 'email-needed':
      return emailNeeded();
    case 'too-many-attempts':
      return tooManyAttempts(unsent);
  }
}
