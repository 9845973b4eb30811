import type { Deps } from '../../deps.ts';
import { cap } from '../limits/limit.ts';
import { limitMisses } from '../limits/limit-misses.ts';
import { type PaymentAnswer, refusalAnswer } from './replay-payment.ts';
import { type NewCard, saveCard } from './save-card.ts';

/** Whoever tries out stolen cards needs many of them. */
const DECLINES_AN_HOUR = cap('save-card-declines', { max: 5, windowSeconds: 3600 });

/** Saves a card for a user, unless too many of theirs were declined lately. */
export function addPaymentMethod(deps: Deps, card: NewCard): Promise<PaymentAnswer> {
  return saveCard(deps, card, async (attempt) => {
    const answer = await limitMisses(
      deps,
      {
        guards: [{ limit: DECLINES_AN_HOUR, of: [card.userId] }],
        isMiss: (outcome) => outcome.status === 400 && !outcome.replayed,
      },
      attempt,
    );
    if ('status' in answer) return answer;
    return refusalAnswer({ code: 'too-many-declines', retryAfterSeconds: answer.retryAfterSeconds });
  });
}
