import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** The act that a second factor confirms; `body` is the SHA-256 of the body's bytes, in hex. */
export type Act = { method: string; path: string; body: string };

export function hashOfAct({ method, path, body }: Act): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, path, body]))
    .digest();
}

/** Identifies a call as an act, by its exact bytes. */
export function actOf({ method, url, bodyBytes }: FastifyRequest): Act {
  const body = bodyBytes ? createHash('sha256').update(bodyBytes).digest('hex') : '';
  return { method, path: withoutStepUp(url), body };
}

/** Removes a download's second factor from the URL, as it isn't part of what was confirmed. */
function withoutStepUp(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return url;
  const parts = url
    .slice(mark + 1)
    .split('&')
    .filter((part) => !part.startsWith('stepUp='));
  return parts.length === 0 ? url.slice(0, mark) : `${url.slice(0, mark)}?${parts.join('&')}`;
}
