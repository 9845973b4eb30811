import { createHash, randomInt } from 'node:crypto';
import type { Deps } from '../../../deps.ts';
import { storeDeployment } from '../epoch/restore.queries.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX_LENGTH = 6;

/**
 * At start: this address has a prefix for its order ids. A copy of the database under another address gets another; a
 * database that was lost and made anew gets the same, and so knows the orders of the lost one for its own.
 */
export async function prepareDeployment({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<void> {
  const digest = createHash('sha256').update(env.PUBLIC_URL).digest();
  const derived = spell((index) => (digest[index] ?? 0) % ALPHABET.length);
  // Where the books have this prefix for another address, any other will do.
  const random = spell(() => randomInt(ALPHABET.length));
  for (const prefix of [derived, random]) {
    await storeDeployment(db.query, { publicUrl: env.PUBLIC_URL, prefix });
  }
}

const spell = (letter: (index: number) => number) =>
  Array.from({ length: PREFIX_LENGTH }, (_, index) => ALPHABET[letter(index)]).join('');
