import { createHmac } from 'node:crypto';
import { isSameInConstantTime } from '../../../crypto/signature.ts';

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, thirty seconds. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** A phone's clock may be one step off in either direction. */
const DRIFT = [0, -1, 1];

export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1000 / STEP_SECONDS);

export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** The time step of a code, or null. */
export function findStep(secret: Buffer, { code, time }: { code: string; time: Date }): number | null {
  const steps = DRIFT.map((drift) => stepAt(time) + drift).filter((step) =>
    isSameInConstantTime(code, totpCode(secret, step)),
  );
  return steps[0] ?? null;
}
