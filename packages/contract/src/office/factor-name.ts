import { shortenWords } from '../shorten-words.ts';

export const LONGEST_FACTOR_NAME = 60;

/**
 * What the server would say of too long a name. A form has to know before the device makes a passkey: the server hears
 * the name only with the passkey, and one that it refuses would stay on the device.
 */
export function tooLongFactorName(name: string): string | null {
  return name.length > LONGEST_FACTOR_NAME ? shortenWords('name', LONGEST_FACTOR_NAME) : null;
}
