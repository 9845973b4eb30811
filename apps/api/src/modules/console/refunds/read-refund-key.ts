import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { invalidIdempotencyKey } from '../../../http/office.problems.ts';
import { refundProblem } from './refunds.problems.ts';

/** Reads a refund request's required idempotency key and what it stands for; refunds store their own keys. */
export function readRefundKey({ method, url, headers, bodyBytes }: FastifyRequest) {
  const idemKey = headers['idempotency-key'];
  if (idemKey === undefined || idemKey === '') throw refundProblem({ code: 'idempotency-key-missing' });
  if (typeof idemKey !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(idemKey)) throw invalidIdempotencyKey();
  const requestHash = createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(bodyBytes ?? '')
    .digest('hex');
  return { idemKey, requestHash };
}
