import type { WireAnswer } from '../../../../../apps/api/src/modules/payments/pay/replay/payment-answer.ts';
import { isCalm, type World } from '../world/world.ts';
import { type Heard, hear, type SeenVersions } from './pay.ts';

/** One press of Pay and what was heard of it. */
export type Told = {
  payer: string;
  idempotencyKey: string;
  tipCents: number;
  heard: Heard;
  /** The codes of the answer. */
  codes: string[];
  /** What the page had shown, if it said so. */
  seen?: SeenVersions | undefined;
  /** That a payment is under way: the answer while somebody else's is, or one's own from another click. */
  isToWait: boolean;
  /** By the payer's clock, sleeps included. */
  seconds: number;
  /** After all troubles, and when the payment's time was over. */
  isLastTry: boolean;
};

/** More than any payment has. Waits for an earlier click, and a payment of its own after it, come to less. */
const MOST_SECONDS = 70;
/** On a machine this busy a lock may be waited for in vain with nothing wrong. */
const BUSY_SECONDS = 3;

/** What somebody heard who pressed Pay at `begin`. */
export function tellOf(
  answer: WireAnswer | null,
  begin: number,
): Pick<Told, 'heard' | 'codes' | 'isToWait' | 'seconds'> {
  const codes = answer && 'errors' in answer.body ? answer.body.errors.map(({ code }) => code) : [];
  return {
    heard: hear(answer),
    codes,
    isToWait: codes.includes('InProgress'),
    seconds: (performance.now() - begin) / 1000,
  };
}

/**
 * Outside of troubles everybody hears an answer that is certain, and within a payment's time. Returns who did not.
 * `seconds` is how long the whole simulation took.
 */
export function judgeAnswers(
  told: readonly Told[],
  { world, seconds }: { world: World; seconds: number },
): string[] {
  const isJudged = isCalm(world) && seconds < BUSY_SECONDS;
  return told.flatMap(({ payer, heard, codes, isToWait, isLastTry, seconds: waited }) => {
    if (isLastTry && heard === 'nothing certain')
      return [`${payer} pressed Pay after the payment's time, and heard nothing certain: ${codes}`];
    if (!isJudged) return [];
    return [
      ...(heard === 'nothing certain' && !isToWait
        ? [`${payer} heard nothing certain, and nothing went wrong: ${codes}`]
        : []),
      ...(waited > MOST_SECONDS ? [`${payer} waited ${Math.round(waited)} s for an answer`] : []),
    ];
  });
}
