import type { FastifyRequest } from 'fastify';
import { hashOfRequest, isUsableKey } from '../../../http/idempotency-key.ts';
import { invalidIdempotencyKey } from '../../../http/office.problems.ts';
import { refundProblem } from './refunds.problems.ts';

/** Reads a refund request's required idempotency key and what it stands for; refunds store their own keys. */
export function readRefundKey(request: FastifyRequest) {
  const idemKey = request.headers['idempotency-key'];
  if (idemKey === undefined || idemKey === '') throw refundProblem({ code: 'idempotency-key-missing' });
  if (!isUsableKey(idemKey)) throw invalidIdempotencyKey();
  return { idemKey, requestHash: hashOfRequest(request).toString('hex') };
}
