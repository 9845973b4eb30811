import type { Problem } from '@brightpane/contract/problem';
import { type Refusal, withWaitAdvice } from '@brightpane/contract/wait-advice';

/** The form's message when a location can't be added. */
export function addLocationMessage(problem: Pick<Problem, 'detail'> & Refusal): string {
  const { status, detail } = problem;
  if (status === 404) return 'Location not found';
  if (status === 400 && detail !== '') return detail;
  return withWaitAdvice('Unable to associate location', problem);
}

export const LOCATION_ADDED = 'Location added';

export const LOCATION_REMOVED = 'Location removed';
export const UNABLE_TO_REMOVE_LOCATION = 'Unable to remove location';
