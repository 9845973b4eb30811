import type { Problem } from '@brightpane/contract/problem';
import { type Refusal, withWaitAdvice } from '@brightpane/contract/wait-advice';
import { SOMETHING_WENT_WRONG } from '@brightpane/ui/words/something-went-wrong';

/** The message when a search finds no invoice. */
export function searchMessage(problem: Pick<Problem, 'detail'> & Refusal): string {
  const { status, detail } = problem;
  if (status === 404) return INVOICE_NOT_FOUND;
  if (status === 400 && detail !== '') return detail;
  return withWaitAdvice(SOMETHING_WENT_WRONG, problem);
}

/** Used by the search and by a guest's payment. */
export const INVOICE_NOT_FOUND = 'Invoice not found. Please check your information and try again.';
