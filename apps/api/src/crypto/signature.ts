import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256 of these parts, one after the other. */
export function sign(key: KeyObject, ...parts: (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** The same as text for links and tokens. */
export const signText = (key: KeyObject, text: string): string => sign(key, text).toString('base64url');

/** The time it takes doesn’t tell where they differ. */
export function isSameInConstantTime(given: string | Buffer, expected: string | Buffer): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
