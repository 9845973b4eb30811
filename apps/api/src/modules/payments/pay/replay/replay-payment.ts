import { setTimeout as wait } from 'node:timers/promises';
import { confirmSeen } from '../../../../db/confirm-seen.ts';
import type { Deps } from '../../../../deps.ts';
import type { Hit } from '../../../limits/limit-misses.ts';
import { abandonExpired } from '../../engine/abandon-expired.ts';
import { findIntentByKey, type Idempotency } from '../../engine/payments.queries.ts';
import { answerOtherPress, type Press } from './answer-other-press.ts';
import { type PaymentAnswer, refusalAnswer } from './payment-answer.ts';

/** Runs the attempt to pay or to save a card, or answers in its place. `hit` is the attempt's short way, if it has one. */
export type PaymentLimit = (
  attempt: () => Promise<PaymentAnswer>,
  hit?: Hit<PaymentAnswer>,
) => Promise<PaymentAnswer>;

const WAIT_MILLISECONDS = 2_000;
const POLL_MILLISECONDS = 100;

/**
 * The stored outcome of a key. The key stands for what the payer saw, so a press that saw something else isn't a
 * replay. Waits briefly for a payment in progress, without holding a lock, and first ends one that is past its
 * deadline. Like the first answer, a replay is sent only once the outcome is confirmed. `null`: the key is new.
 */
export async function replayOrWait(
  deps: Deps,
  { scope, key, requestHash, formerHash }: Idempotency,
  press?: Press,
): Promise<PaymentAnswer | null> {
  if (key === null) return null;
  const start = performance.now();
  for (;;) {
    const intent = await findIntentByKey(deps.db.query, { scope, key });
    if (!intent) return null;
    if (![requestHash, formerHash].includes(intent.requestHash))
      return refusalAnswer({ code: 'other-request' });
    const { outcome, zipKeyShown } = intent;
    if (outcome) {
      await confirmSeen(deps.db);
      const other =
        press && (await answerOtherPress(deps, { intentId: intent.id, outcome, zipKeyShown }, press));
      return other ? refusalAnswer(other) : { outcome, replayed: true, intentId: intent.id };
    }
    if (intent.isExpired) await abandonExpired(deps, { intentId: intent.id });
    else if (performance.now() - start > WAIT_MILLISECONDS) {
      return refusalAnswer({ code: 'same-key-in-progress' });
    } else await wait(POLL_MILLISECONDS);
  }
}
