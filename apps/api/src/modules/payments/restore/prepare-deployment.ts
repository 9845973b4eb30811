import { createHash, randomInt } from 'node:crypto';
import type { Deps } from '../../../deps.ts';
import { storeDeployment } from '../epoch/restore.queries.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX_LENGTH = 6;

/**
 * Gives this address a prefix for its order ids at start. A copy of the database under another address gets another
 * prefix. A lost and recreated database gets the same one, so it recognizes the lost one's orders.
 */
export async function prepareDeployment({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<void> {
  const digest = createHash('sha256').update(env.PUBLIC_URL).digest();
  const derived = spell((index) => (digest[index] ?? 0) % ALPHABET.length);
  // If another address in these books has this prefix, use a random one.
  const random = spell(() => randomInt(ALPHABET.length));
  for (const prefix of [derived, random]) {
    await storeDeployment(db.query, { publicUrl: env.PUBLIC_URL, prefix });
  }
}

const spell = (letter: (index: number) => number) =>
  Array.from({ length: PREFIX_LENGTH }, (_, index) => ALPHABET[letter(index)]).join('');
