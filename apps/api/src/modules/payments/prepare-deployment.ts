import { randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Deps } from '../../deps.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PREFIX_LENGTH = 6;

/** At start: this address has a prefix for its order ids. A copy of the database under another address gets another. */
export async function prepareDeployment({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<void> {
  const prefix = Array.from({ length: PREFIX_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  await db.query.execute(sql`
    INSERT INTO deployment (public_url, order_prefix) VALUES (${env.PUBLIC_URL}, ${prefix})
    ON CONFLICT (public_url) DO NOTHING`);
}
