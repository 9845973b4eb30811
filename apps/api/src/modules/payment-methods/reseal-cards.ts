import { openOrNull } from '../../crypto/secret-box.ts';
import { forgetUnreadable, noteUnreadable } from '../../crypto/unreadable-secrets.ts';
import type { Deps } from '../../deps.ts';
import { cardPlace } from './card-place.ts';
import { replaceCardToken, selectCardTokens } from './payment-methods.queries.ts';

const AT_A_TIME = 500;

/**
 * Seals the tokens of all cards under the newest data key, so that an older one can be taken out of the settings. Several
 * instances may do it at once; a card that is deleted meanwhile stays deleted, and one that cannot be read stays as it is.
 */
export async function resealCards(deps: Pick<Deps, 'db' | 'secretBox' | 'log'>): Promise<void> {
  const { db, secretBox } = deps;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const cards = await selectCardTokens(db.query, { after, limit: AT_A_TIME });
    const readable: string[] = [];
    for (const { id, cardToken } of cards) {
      const token = openOrNull(secretBox, cardToken, cardPlace(id));
      if (token === null) {
        await noteUnreadable(deps, db.query, { table: 'payment_method', id });
        continue;
      }
      readable.push(id);
      if (!secretBox.isStale(cardToken)) continue;
      await replaceCardToken(db.query, { id, from: cardToken, to: secretBox.seal(token, cardPlace(id)) });
    }
    await forgetUnreadable(db.query, { table: 'payment_method', ids: readable });
    const last = cards.at(-1);
    if (!last || cards.length < AT_A_TIME) return;
    after = last.id;
  }
}
