import type { Problem } from '@brightpane/contract/problem';
import { refuseTypedCardNumbers } from '@brightpane/ui/forms/card-number-guard';

/** Fields that staff type into, by their names in calls. */
const TYPED_FIELDS = new Set([
  ...['email', 'password', 'firstName', 'lastName', 'name', 'phone', 'address'],
  ...['text', 'note', 'reason', 'search'],
]);

/** Refuses a call that would send a card number somebody typed; `null` if there is none. */
export function refuseCardNumbers(parts: unknown[]): Problem | null {
  return refuseTypedCardNumbers(TYPED_FIELDS, parts);
}
