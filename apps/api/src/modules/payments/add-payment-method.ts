import type { Deps } from '../../deps.ts';
import { cap, type Guard } from '../limits/limit.ts';
import { limitTries } from '../limits/limit-misses.ts';
import { type PaymentAnswer, refusalAnswer } from './replay-payment.ts';
import { type NewCard, saveCard } from './save-card.ts';

/** Whoever tries out stolen cards needs many of them. */
const DECLINES_AN_HOUR = cap('save-card-declines', { max: 5, windowSeconds: 3600 });
/** A good one is news to a thief too. As long as a session lives; by account, or signing in anew would begin anew. */
const CARDS_OF_A_SESSION = cap('cards tried', { max: 20, windowSeconds: 30 * 86_400 });

/** Saves a card for a user, unless they have tried too many lately. */
export function addPaymentMethod(deps: Deps, card: NewCard): Promise<PaymentAnswer> {
  const decline: Guard = { limit: DECLINES_AN_HOUR, of: [card.userId] };
  const tried: Guard = { limit: CARDS_OF_A_SESSION, of: [card.userId] };
  /** What was only told again counts for nothing, nor does what tells nothing of the card. */
  const countedBy = ({ replayed, status }: PaymentAnswer) => {
    if (replayed) return [];
    if (status === 400) return [decline, tried];
    return status === 200 ? [tried] : [];
  };
  return saveCard(deps, card, async (attempt) => {
    const answer = await limitTries(deps, { guards: [decline, tried], countedBy }, attempt);
    if ('status' in answer) return answer;
    return refusalAnswer({ code: 'too-many-cards', retryAfterSeconds: answer.retryAfterSeconds });
  });
}
