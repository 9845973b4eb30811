import { fieldErrors } from '@brightpane/ui/forms/field-errors';
import type { FieldErrors } from '@brightpane/ui/outcomes/action-result';
import { refuseCardNumbers } from '../../lib/card-number-guard.ts';

/** The search form's three numbers as typed, under their names in the URL. */
export type SearchNumbers = { franchiseNumber: string; workOrderNumber: string; zipCode: string };

export function readSearchNumbers(query: Pick<URLSearchParams, 'get'>): SearchNumbers {
  const read = (name: string) => (query.get(name) ?? '').trim();
  return {
    franchiseNumber: read('franchiseNumber'),
    workOrderNumber: read('workOrderNumber'),
    zipCode: read('zipCode'),
  };
}

/** Requires all three: fewer would find other people's invoices. */
export function areComplete({ franchiseNumber, workOrderNumber, zipCode }: SearchNumbers): boolean {
  return franchiseNumber !== '' && workOrderNumber !== '' && zipCode !== '';
}

/** The form's names for the server's fields. */
export const SEARCH_FORM_NAMES = { franchiseId: 'franchiseNumber' };

/**
 * Franchise and work order must be non-zero numbers; anything else is refused without a call. Only the server
 * knows their maximum.
 */
export function judgeNumbers(numbers: SearchNumbers): { message: string; fieldErrors: FieldErrors } | null {
  // Check for card numbers first: "not a number" would be the wrong message for one.
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
