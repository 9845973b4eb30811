import type { Problem } from '@brightpane/contract/problem';
import { refuseTypedCardNumbers } from '@brightpane/ui/forms/card-number-guard';

/** Fields that staff type into, by their names in calls, and keys that they paste. */
const FIELDS = {
  typed: new Set([
    ...['email', 'password', 'firstName', 'lastName', 'name', 'phone', 'address', 'timeZone'],
    ...['text', 'note', 'reason', 'search'],
  ]),
  keys: new Set(['apiKey', 'pin', 'publicKey']),
};

/** Refuses a call that would send a card number somebody typed; `null` if there is none. */
export function refuseCardNumbers(parts: unknown[]): Problem | null {
  return refuseTypedCardNumbers(FIELDS, parts);
}
