import { openOrNull } from '../../crypto/secret-box.ts';
import { noteUnreadable } from '../../crypto/unreadable-secrets.ts';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { cardPlace } from './card-place.ts';
import { isCardExpired } from './is-card-expired.ts';
import { selectCard } from './payment-methods.queries.ts';

/** Decrypts the token of a user's saved card. Send it to the provider and nowhere else. */
export async function openCard(deps: Deps, card: { userId: string; id: string }) {
  const row = await selectCard(deps.db.query, card);
  if (!row) return fail('card-not-found');
  if (isCardExpired(row.expiresMonth, deps.clock())) return fail('card-expired');
  const cardToken = openOrNull(deps.secretBox, row.cardToken, cardPlace(row.id));
  if (cardToken !== null) return ok({ cardToken });
  await noteUnreadable(deps, deps.db.query, { table: 'payment_method', id: row.id });
  return fail('card-unreadable');
}
