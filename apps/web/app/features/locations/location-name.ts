import type { Location } from '@brightpane/contract/customers/locations';

type Place = Pick<Location, 'locationId' | 'description' | 'addressLine1' | 'city' | 'state'>;

/** What a location is called wherever it is named: as its office calls it, else by its address. */
export function locationName(location: Place): string {
  return written(location.description) || addressOf(location) || `Location ${location.locationId}`;
}

/** What stands beside the name: its address, unless that is the name. */
export function locationAddress(location: Place): string {
  return written(location.description) ? addressOf(location) : '';
}

function addressOf({ addressLine1, city, state }: Place): string {
  return [addressLine1, city, state].map(written).filter(Boolean).join(', ');
}

/** A text that can be seen: blanks of any kind and marks without a shape leave nothing to read or to press. */
export function written(text: string): string {
  return text.replace(/[\s\p{Cf}\p{Cc}\u2800\u3164]/gu, '') === '' ? '' : text.trim();
}
