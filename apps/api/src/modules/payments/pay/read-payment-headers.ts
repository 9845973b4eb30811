import { isUsableKey } from '../../../http/idempotency-key.ts';
import { fail, ok } from '../../../http/result.ts';

type Header = string | string[] | undefined;

/** The client's idempotency key; `null` if it sent none. */
export function readIdempotencyKey(header: Header) {
  if (header === undefined) return ok<string | null>(null);
  return isUsableKey(header) ? ok<string | null>(header) : fail('unusable-key');
}

/** Matches no invoice, so an unreadable `If-Match` fails. */
const NO_VERSION = -1;

/**
 * The version of the terms that the payer's page showed. A client that sends none, or none that could be one, accepts
 * the current version (decision 35).
 */
export function readTermsVersion(termsVersion: Header, current: string): string {
  return typeof termsVersion === 'string' && /^[\w.-]{1,64}$/.test(termsVersion) ? termsVersion : current;
}

/** The version of the invoice that the payer saw: `If-Match: "7"`. */
export function readVersion(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const [, digits] = /^\s*"?(\d{1,9})"?\s*$/.exec(header) ?? [];
  return digits === undefined ? NO_VERSION : Number(digits);
}
