import type { Deps } from '../../deps.ts';
import { replaceCardToken, selectCardTokens } from './payment-methods.queries.ts';

const AT_A_TIME = 500;

/**
 * Seals the tokens of all cards under the newest data key, so that an older one can be taken out of the settings. Several
 * instances may do it at once; a card that is deleted meanwhile stays deleted.
 */
export async function resealCards({ db, secretBox }: Pick<Deps, 'db' | 'secretBox'>): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const cards = await selectCardTokens(db.query, { after, limit: AT_A_TIME });
    for (const { id, cardToken } of cards) {
      if (!secretBox.isStale(cardToken)) continue;
      const fresh = secretBox.seal(secretBox.open(cardToken));
      await replaceCardToken(db.query, { id, from: cardToken, to: fresh });
    }
    const last = cards.at(-1);
    if (!last || cards.length < AT_A_TIME) return;
    after = last.id;
  }
}
