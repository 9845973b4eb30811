import { type KeyObject, randomBytes } from 'node:crypto';
import { deriveKeys } from '../../../crypto/derive-key.ts';
import { isSameInConstantTime, sign } from '../../../crypto/signature.ts';
import type { Deps } from '../../../deps.ts';
import type { Bound } from './challenges.queries.ts';

const PURPOSE = 'what passkeys sign';
const LIFETIME_MILLISECONDS = 300_000;
const NONCE_BYTES = 16;
const END_BYTES = 6;
const PAYLOAD_BYTES = NONCE_BYTES + END_BYTES;

type Deciding = Pick<Deps, 'env' | 'clock'>;

/**
 * Random bytes for a passkey to sign, valid for five minutes and one purpose. They carry their own end and signature, so
 * nothing is stored: anybody may ask, and needs no limit that strangers behind the same address could use up.
 */
export function mintChallenge({ env, clock }: Deciding, bound: Bound): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUIntBE(clock().getTime() + LIFETIME_MILLISECONDS, 0, END_BYTES);
  const payload = Buffer.concat([randomBytes(NONCE_BYTES), end]);
  const [newest] = deriveKeys(env, PURPOSE);
  return Buffer.concat([payload, signBound(newest, payload, bound)]);
}

/** When a challenge ends; null if it has, or if we never made it for exactly this. */
export function readEnd({ env, clock }: Deciding, challenge: Buffer, bound: Bound): Date | null {
  const payload = challenge.subarray(0, PAYLOAD_BYTES);
  const given = challenge.subarray(PAYLOAD_BYTES);
  const isOurs = deriveKeys(env, PURPOSE).some((key) =>
    isSameInConstantTime(given, signBound(key, payload, bound)),
  );
  if (!isOurs) return null;
  const end = new Date(payload.readUIntBE(NONCE_BYTES, END_BYTES));
  return end > clock() ? end : null;
}

function signBound(key: KeyObject, payload: Buffer, { purpose, sessionId, actHash }: Bound): Buffer {
  const meant = JSON.stringify([purpose, sessionId, actHash?.toString('base64url') ?? null]);
  return sign(key, payload, meant);
}
