import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Whether an `Idempotency-Key` can be kept. */
export const isUsableKey = (header: unknown): header is string =>
  typeof header === 'string' && /^[\x21-\x7e]{1,200}$/.test(header);

/** What a key stands for: another request under the same key is refused. */
export function hashOfRequest({ method, url, bodyBytes }: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(bodyBytes ?? '')
    .digest();
}
