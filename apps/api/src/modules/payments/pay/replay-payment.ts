import type { Deps } from '../../../deps.ts';
import { abandonExpired } from '../engine/abandon-expired.ts';
import { paymentProblem, type Refusal } from '../engine/payments.problems.ts';
import { findIntentByKey, type Idempotency } from '../engine/payments.queries.ts';
import type { StoredAnswer } from '../engine/stored-answer.ts';
import { answerOtherPress, type Press } from './answer-other-press.ts';

/** What a payer is answered, and whether it is what this key was answered before. */
export type PaymentAnswer = StoredAnswer & {
  replayed: boolean;
  retryAfterSeconds?: number;
  /** Of a guest who named no right zip code. */
  isStranger?: boolean;
};

/** Makes an attempt to pay, or to save a card, or answers in its place. */
export type PaymentLimit = (attempt: () => Promise<PaymentAnswer>) => Promise<PaymentAnswer>;

export const refusalAnswer = (refusal: Refusal): PaymentAnswer => ({
  ...paymentProblem(refusal),
  replayed: false,
});

const WAIT_MILLISECONDS = 2_000;
const POLL_MILLISECONDS = 100;

/**
 * What the key has been answered: it stands for what the payer saw, so a press that saw something else is no replay. A payment under way is waited for a little, without holding a lock; one whose time is
 * up is ended first. `null`: nobody has used this key.
 */
export async function replayOrWait(
  deps: Deps,
  { scope, key, requestHash }: Idempotency,
  press?: Press,
): Promise<PaymentAnswer | null> {
  if (key === null) return null;
  const start = performance.now();
  for (;;) {
    const intent = await findIntentByKey(deps.db.query, { scope, key });
    if (!intent) return null;
    if (intent.requestHash !== requestHash) return refusalAnswer({ code: 'other-request' });
    if (intent.answer) {
      const other =
        press && (await answerOtherPress(deps, { intentId: intent.id, answer: intent.answer }, press));
      return other ? refusalAnswer(other) : { ...intent.answer, replayed: true };
    }
    if (intent.isExpired) await abandonExpired(deps, { intentId: intent.id });
    else if (performance.now() - start > WAIT_MILLISECONDS) {
      return refusalAnswer({ code: 'same-key-in-progress' });
    } else await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}
