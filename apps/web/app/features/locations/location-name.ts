import type { Location } from '@brightpane/contract/customers/locations';

type Place = Pick<Location, 'locationId' | 'description' | 'addressLine1' | 'city' | 'state'>;

/** A location's name everywhere: the office's description, else its address. */
export function locationName(location: Place): string {
  return written(location.description) || addressOf(location) || `Location ${location.locationId}`;
}

/** The address beside the name, unless the name is the address. */
export function locationAddress(location: Place): string {
  return written(location.description) ? addressOf(location) : '';
}

/** The name of each of these locations, with its address if another one has the same name. */
export function namesAmong(locations: readonly Place[]): (location: Place) => string {
  const names = locations.map(locationName);
  return (location) => {
    const name = locationName(location);
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    return isAlone ? name : [name, locationAddress(location)].filter(Boolean).join(', ');
  };
}

function addressOf({ addressLine1, city, state }: Place): string {
  return [addressLine1, city, state].map(written).filter(Boolean).join(', ');
}

/** The trimmed text; empty if it has only blanks and invisible characters, which nobody could read or press. */
export function written(text: string): string {
  return text.replace(/[\s\p{Cf}\p{Cc}\u2800\u3164]/gu, '') === '' ? '' : text.trim();
}
