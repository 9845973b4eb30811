import type { Problem } from '@brightpane/contract/problem';
import { refuseTypedCardNumbers } from '@brightpane/ui/forms/card-number-guard';

/** Fields that staff type into, by their names in calls. */
const TYPED_FIELDS = new Set([
  ...['email', 'password', 'firstName', 'lastName', 'name', 'phone', 'address'],
  ...['text', 'note', 'reason', 'search'],
]);

/** The refusal of a call that would carry a card number which somebody typed, or `null`. */
export function refuseCardNumbers(parts: unknown[]): Problem | null {
  return refuseTypedCardNumbers(TYPED_FIELDS, parts);
}
