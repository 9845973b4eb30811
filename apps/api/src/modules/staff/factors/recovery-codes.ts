import { randomBytes } from 'node:crypto';
import { hashToken } from '../../../crypto/hash-token.ts';
import type { Queryable } from '../../../db/client.ts';
import { toCrockford } from './base32.ts';
import { replaceRecoveryCodes } from './factors.queries.ts';

const CODES = 10;
const BYTES = 10;

/** Makes ten new codes that replace all older ones. They are shown once and stored as hashes. */
export async function makeRecoveryCodes(tx: Queryable, staffId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => toCrockford(randomBytes(BYTES)));
  await replaceRecoveryCodes(tx, { staffId, hashes: codes.map(hashToken) });
  return codes.map((code) => code.replace(/(.{4})(?!$)/g, '$1-'));
}

/** Ignores case, dashes and blanks, and reads look-alike letters as digits. */
export function readRecoveryCode(given: string): Buffer {
  const code = given.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return hashToken(code);
}
