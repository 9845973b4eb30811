import type { Problem } from '@brightpane/contract/problem';

/** What the form says when a location isn't added. */
export function addLocationMessage({ status, detail }: Pick<Problem, 'status' | 'detail'>): string {
  if (status === 404) return 'Location not found';
  if (status === 400 && detail !== '') return detail;
  return 'Unable to associate location';
}

export const LOCATION_ADDED = 'Location added';

export const LOCATION_REMOVED = 'Location removed';
export const UNABLE_TO_REMOVE_LOCATION = 'Unable to remove location';
