import { createHash, randomInt } from 'node:crypto';
import { PORTAL } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { storeDeployment } from '../epoch/restore.queries.ts';
import { countLeftElsewhere, listAddresses } from './deployments.queries.ts';
import { isSame, takeOverAddress } from './take-over-address.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX_LENGTH = 6;

/**
 * Gives this address a prefix for its order ids at start. A copy of the database under another address gets another
 * prefix. A lost and recreated database gets the same one, so it recognizes the lost one's orders.
 */
export async function prepareDeployment({ db, env, log }: Pick<Deps, 'db' | 'env' | 'log'>): Promise<void> {
  const digest = createHash('sha256').update(env.PUBLIC_URL).digest();
  const derived = spell((index) => (digest[index] ?? 0) % ALPHABET.length);
  // If another address in these books has this prefix, use a random one.
  const random = spell(() => randomInt(ALPHABET.length));
  for (const prefix of [derived, random]) {
    await storeDeployment(db.query, { publicUrl: env.PUBLIC_URL, prefix });
  }
  // Versions before this one kept the address as it was typed.
  for (const { publicUrl, movedTo } of await listAddresses(db.query))
    if (movedTo === null && publicUrl !== env.PUBLIC_URL && isSame(publicUrl, env.PUBLIC_URL))
      await takeOverAddress({ db, env }, { from: publicUrl, actor: PORTAL });
  const left = await countLeftElsewhere(db.query, { publicUrl: env.PUBLIC_URL });
  if (left.charges + left.refunds > 0)
    log.warn(left, 'payments of another address wait: if the portal has moved from there, run portal moved');
}

const spell = (letter: (index: number) => number) =>
  Array.from({ length: PREFIX_LENGTH }, (_, index) => ALPHABET[letter(index)]).join('');
