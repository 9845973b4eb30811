/** The three numbers of the search form, as typed, under the names that the address bar carries. */
export type SearchNumbers = { franchiseNumber: string; workOrderNumber: string; zipCode: string };

export function readSearchNumbers(query: Pick<URLSearchParams, 'get'>): SearchNumbers {
  const read = (name: string) => (query.get(name) ?? '').trim();
  return {
    franchiseNumber: read('franchiseNumber'),
    workOrderNumber: read('workOrderNumber'),
    zipCode: read('zipCode'),
  };
}

/** Spec section 5: without all three, no search is run. */
export function areComplete({ franchiseNumber, workOrderNumber, zipCode }: SearchNumbers): boolean {
  return franchiseNumber !== '' && workOrderNumber !== '' && zipCode !== '';
}

/** The names under which the server speaks of the form's fields. */
export const SEARCH_FORM_NAMES = { franchiseId: 'franchiseNumber' };
