import { openOrNull } from '../../crypto/secret-box.ts';
import { forgetUnreadable, noteUnreadable } from '../../crypto/unreadable-secrets.ts';
import type { Deps } from '../../deps.ts';
import { cardPlace } from './card-place.ts';
import { replaceCardToken, selectCardTokens } from './payment-methods.queries.ts';

const AT_A_TIME = 500;

/**
 * Reseals all cards' tokens under the newest data key, so that older keys can be removed from the settings. Several
 * instances may run it at once; deleted cards stay deleted, and unreadable ones stay as they are.
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
