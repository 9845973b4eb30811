import type { IncomingHttpHeaders } from 'node:http';

/** Matches no version, so an unreadable `If-Match` fails. */
const NO_VERSION = -1;

/** The version that the caller saw of what they change: `If-Match: "7"`. */
export function readSeenVersion({ 'if-match': given }: IncomingHttpHeaders): number | undefined {
  if (given === undefined) return undefined;
  const [, digits] = /^\s*"(\d{1,10})"\s*$/.exec(given) ?? [];
  return digits === undefined ? NO_VERSION : Number(digits);
}
