import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { HttpProblem } from '../../http/problem.ts';

/** Matches no version, so an unreadable `If-Match` fails. */
const NO_VERSION = -1;

/** The version that the caller saw of what they change: `If-Match: "7"`. */
export function readSeenVersion({ 'if-match': given }: IncomingHttpHeaders): number | undefined {
  if (given === undefined) return undefined;
  // A version has at most nine digits; more would not fit into the database's integer.
  const [, digits] = /^\s*"(\d{1,9})"\s*$/.exec(given) ?? [];
  return digits === undefined ? NO_VERSION : Number(digits);
}

/** The same where a person has to name it; programs may leave it out. */
export function readPersonsVersion(
  { headers, caller }: Pick<FastifyRequest, 'headers' | 'caller'>,
  { orElse }: { orElse: () => HttpProblem },
): number | undefined {
  const version = readSeenVersion(headers);
  if (version === undefined && caller.kind === 'staff') throw orElse();
  return version;
}
