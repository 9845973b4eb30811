import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { isCardExpired } from './is-card-expired.ts';
import { selectCard } from './payment-methods.queries.ts';

/** The token that a user's saved card is charged by, in the clear: it goes to the provider and nowhere else. */
export async function openCard(deps: Deps, card: { userId: string; id: string }) {
  const row = await selectCard(deps.db.query, card);
  if (!row) return fail('card-not-found');
  if (isCardExpired(row.expiresMonth, deps.clock())) return fail('card-expired');
  return ok({ cardToken: deps.secretBox.open(row.cardToken) });
}
