import { createHash } from 'node:crypto';

/**
 * A fingerprint of the request that doesn't depend on the order of its fields. Callers leave out what the browser
 * mints for each press of Pay.
 */
export function hashRequest(request: Record<string, unknown>): string {
  return createHash('sha256').update(canonical(request)).digest('hex');
}

/** A payment key is good for one charge, so it serves as the idempotency key where none is sent. */
export const keyOfPaymentKey = (paymentKey: string): string =>
  `payment-key:${createHash('sha256').update(paymentKey).digest('hex')}`;

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}
