import type { Deps } from '../../../../deps.ts';
import { cap, type Guard } from '../../../limits/limit.ts';
import { limitTries } from '../../../limits/limit-misses.ts';
import { findCurrentAccount } from '../../../merchant-accounts/merchant-accounts.queries.ts';
import { type PaymentAnswer, refusalAnswer } from '../replay/payment-answer.ts';
import { countDecline, networkGuards, tellsOfCard } from './card-declines.ts';
import { type NewCard, saveCard } from './save-card.ts';

/** Limits card testing: trying out stolen cards takes many declines. */
const DECLINES_AN_HOUR = cap('save-card-declines', { max: 5, windowSeconds: 3600 });
/**
 * Approvals tell a thief something too. Keyed by account for a session's lifetime, so signing
 * in again doesn't reset it.
 */
const CARDS_OF_AN_ACCOUNT = cap('cards tried', { max: 20, windowSeconds: 30 * 86_400 });

/** Saves a card for a user, unless the account or its network has tried too many lately. */
export function addPaymentMethod(
  deps: Deps,
  { address, ...card }: NewCard & { address: string },
): Promise<PaymentAnswer> {
  const declined = [{ limit: DECLINES_AN_HOUR, of: [card.userId] }, ...networkGuards(address)] as const;
  const tried: Guard = { limit: CARDS_OF_AN_ACCOUNT, of: [card.userId] };
  /** Counts neither replays nor answers that say nothing about the card. */
  const countedBy = (answer: PaymentAnswer) => {
    if (answer.replayed) return [];
    return answer.outcome.code === 'card-added' || tellsOfCard(answer) ? [tried] : [];
  };
  return saveCard(deps, card, async (attempt) => {
    const answer = await limitTries(deps, { guards: [...declined, tried], countedBy }, async () => {
      const added = await attempt();
      if (tellsOfCard(added)) {
        const account = await findCurrentAccount(deps.db.query, null);
        await countDecline(deps, { guards: declined, accountId: account?.id });
      }
      return added;
    });
    if ('outcome' in answer) return answer;
    return refusalAnswer({ code: 'too-many-cards', retryAfterSeconds: answer.retryAfterSeconds });
  });
}
