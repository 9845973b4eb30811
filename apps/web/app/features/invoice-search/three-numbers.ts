import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { refuseCardNumbers } from '../../lib/card-number-guard.ts';

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

/** The search runs only with all three: fewer would find other people's invoices. */
export function areComplete({ franchiseNumber, workOrderNumber, zipCode }: SearchNumbers): boolean {
  return franchiseNumber !== '' && workOrderNumber !== '' && zipCode !== '';
}

/** The names under which the server speaks of the form's fields. */
export const SEARCH_FORM_NAMES = { franchiseId: 'franchiseNumber' };

/**
 * Franchise and work order are numbers other than zero; anything else is refused without a call. Only the server knows
 * how large they may be.
 */
export function judgeNumbers(numbers: SearchNumbers): { message: string; fieldErrors: FieldErrors } | null {
  // A card number is no number of an invoice either, but that isn't what has to be said of it.
  const card = refuseCardNumbers({ query: numbers });
  if (card) return { message: card.detail, fieldErrors: fieldErrors(card) };
  const faults = Object.entries(INVALID).filter(([name]) => !isNumber(numbers[name as keyof typeof INVALID]));
  const [first, ...others] = faults;
  if (!first) return null;
  return {
    message: others.length === 0 ? first[1] : 'Please check your details and try again.',
    fieldErrors: Object.fromEntries(faults.map(([name, sentence]) => [name, [sentence]])),
  };
}

const INVALID = {
  franchiseNumber: 'Invalid franchise number',
  workOrderNumber: 'Invalid work order number',
};

const isNumber = (text: string) => /^\d+$/.test(text) && Number(text) > 0;
