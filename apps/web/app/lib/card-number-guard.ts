import type { Problem } from '@brightpane/contract/problem';
import { refuseTypedCardNumbers } from '@brightpane/ui/forms/card-number-guard';

/**
 * Fields that people type into, by their names in calls and in the search form's URL. Others aren't checked: one
 * random id in 870 contains what looks like a card number.
 */
const FIELDS = {
  typed: new Set([
    ...['email', 'password', 'newPassword', 'firstName', 'lastName', 'phone'],
    ...['street', 'address', 'address2', 'city', 'state', 'postalCode', 'zipCode'],
    ...['franchiseId', 'franchiseNumber', 'workOrderNumber', 'additionalServicesNote'],
    // The provider's script masks the number; should it ever fail to, the number stays in the browser.
    'maskedCard',
  ]),
  keys: new Set(['paymentKey']),
};

/** The refusal of a call that would carry a card number which somebody typed, or `null`. */
export function refuseCardNumbers({ query, body }: { query?: unknown; body?: unknown }): Problem | null {
  return refuseTypedCardNumbers(FIELDS, [query, body]);
}
