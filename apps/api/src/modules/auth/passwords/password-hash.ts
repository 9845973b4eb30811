import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';

/** Argon2id, the library's default. Hashes of a lower cost are renewed at the next sign-in. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Normalizes Unicode, so that a password doesn't depend on how the keyboard composes characters. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'));

export function hashPassword(password: string): Promise<string> {
  return hash(bytesOf(password), COST);
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, bytesOf(password));
}

export function isOutdatedHash(passwordHash: string): boolean {
  const made = parseOptions(passwordHash);
  return made.memoryCost < COST.memoryCost || made.timeCost < COST.timeCost;
}

/**
 * A hash that no password matches. Checked for addresses without an account, so that they take as long as the others.
 */
export const NOBODYS_HASH: string = [
  '$argon2id$v=19',
  `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`,
  randomBase64(16),
  randomBase64(32),
].join('$');

function randomBase64(bytes: number): string {
  return randomBytes(bytes).toString('base64').replaceAll('=', '');
}
