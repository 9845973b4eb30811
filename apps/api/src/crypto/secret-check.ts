import { timingSafeEqual } from 'node:crypto';

const LENGTH_BYTES = 2;
/** At least this much, and in steps of it, so that the time doesn't tell how long the secrets are. */
const STEP_BYTES = 256;

/**
 * Checks a value against a list of secrets; there are several during a rotation. Runs in constant time: all values are
 * padded to one length, behind their own, and all secrets are compared even after a match.
 */
export function secretCheck(secrets: readonly string[]): (given: string) => boolean {
  const longest = Math.max(0, ...secrets.map((secret) => Buffer.byteLength(secret)));
  const room = STEP_BYTES * Math.ceil(Math.max(1, longest) / STEP_BYTES);
  const expected = secrets.map((secret) => pad(secret, Buffer.alloc(LENGTH_BYTES + room)));
  const sent = Buffer.alloc(LENGTH_BYTES + room);
  return (given) => {
    if (Buffer.byteLength(given) > room) return false;
    pad(given, sent);
    return expected.filter((each) => timingSafeEqual(sent, each)).length > 0;
  };
}

function pad(text: string, into: Buffer): Buffer {
  into.fill(0);
  into.writeUInt16BE(into.write(text, LENGTH_BYTES));
  return into;
}
