import { fail, ok } from '../../../http/result.ts';

type Header = string | string[] | undefined;

/** The payer's own key for this payment, if there is one. */
export function readIdempotencyKey(header: Header) {
  if (header === undefined) return ok<string | null>(null);
  const isUsable = typeof header === 'string' && /^[\x21-\x7e]{1,200}$/.test(header);
  return isUsable ? ok<string | null>(header) : fail('unusable-key');
}

/** No invoice has this version, so a condition that we cannot read is not met. */
const NO_VERSION = -1;

/** The terms that the payer's page showed, by their version. A client that names none is held to the current ones. */
export function readTermsVersion(header: Header, current: string): string {
  return typeof header === 'string' && /^[\w.-]{1,64}$/.test(header) ? header : current;
}

/** The invoice's version that the payer saw: `If-Match: "7"`. */
export function readVersion(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const [, digits] = /^\s*"?(\d{1,9})"?\s*$/.exec(header) ?? [];
  return digits === undefined ? NO_VERSION : Number(digits);
}
