import { holdsCardNumber, phoneHoldsCardNumber } from '@brightpane/contract/card-number';
import type { Problem, ProblemError } from '@brightpane/contract/problem';

/** What the server would answer, so that forms show it as they show the server's own word. */
const REFUSAL = 'Please take the card number out of this field.';

/**
 * Fields that people type into, by their names in calls and in the search form's address. No others are judged: of
 * random ids, every 870th holds what passes for a card number.
 */
const TYPED_FIELDS = new Set([
  ...['email', 'password', 'firstName', 'lastName', 'phone'],
  ...['street', 'address', 'address2', 'city', 'state', 'postalCode', 'zipCode'],
  ...['franchiseId', 'franchiseNumber', 'workOrderNumber', 'additionalServicesNote'],
  // The provider's script masks what was typed; should it ever fail to, the number stays here.
  'maskedCard',
]);

/**
 * The refusal of a call that would carry a card number which somebody typed, or `null`. The server refuses it too, but
 * by then the number has been on its way to us; here it doesn't leave the browser.
 */
export function refuseCardNumbers({ query, body }: { query?: unknown; body?: unknown }): Problem | null {
  const errors = [query, body].flatMap((part) => faultsIn(part, []));
  if (errors.length === 0) return null;
  return { title: 'Bad Request', status: 400, detail: REFUSAL, errors };
}

function faultsIn(value: unknown, path: string[]): ProblemError[] {
  if (typeof value === 'string') {
    return holdsTypedCardNumber(path.at(-1) ?? '', value)
      ? [{ code: 'CardDataNotAllowed', description: REFUSAL, field: path.join('.') }]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => faultsIn(part, [...path, name]));
}

function holdsTypedCardNumber(name: string, value: string): boolean {
  if (!TYPED_FIELDS.has(name)) return false;
  return name === 'phone' ? phoneHoldsCardNumber(value) : holdsCardNumber(value);
}
