import type { FastifyRequest } from 'fastify';
import type { Env } from '../../../env.ts';
import { foreignRequest } from '../../../http/office.problems.ts';

/** Refuses a write that doesn't come from the console's own pages. */
export function checkOrigin({ OFFICE_URL }: Pick<Env, 'OFFICE_URL'>, { headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isOurs =
    headers.origin === OFFICE_URL &&
    (site === undefined || site === 'same-origin') &&
    headers['x-office'] === '1';
  if (!isOurs) throw foreignRequest();
}

/**
 * Whether a call was made to the console's own host; cookies count only there. Not Fastify's `host`: a client could name it
 * in `X-Forwarded-Host`.
 */
export function isConsolesHost(
  { OFFICE_URL }: Pick<Env, 'OFFICE_URL'>,
  { headers }: FastifyRequest,
): boolean {
  return headers.host === new URL(OFFICE_URL).host;
}
