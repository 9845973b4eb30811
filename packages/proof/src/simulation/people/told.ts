import type { WireAnswer } from '../../../../../apps/api/src/modules/payments/pay/replay/payment-answer.ts';
import { isCalm, type World } from '../world/world.ts';
import { type Heard, hear, type SeenVersions } from './pay.ts';

/** One press of Pay, and its answer. */
export type Told = {
  payer: string;
  idempotencyKey: string;
  tipCents: number;
  heard: Heard;
  /** The answer's codes. */
  codes: string[];
  /** What the page had shown, if it sent that. */
  seen?: SeenVersions | undefined;
  /** The answer says that a payment is under way: somebody else's, or one's own from another click. */
  isToWait: boolean;
  /** By the payer's clock, including sleeps. */
  seconds: number;
  /** Pressed after all troubles and past the payment's deadline. */
  isLastTry: boolean;
};

/** More than any payment takes, even one that first waits for an earlier click. */
const MOST_SECONDS = 70;
/** On a machine this slow, a wait for a lock may time out with nothing wrong. */
const BUSY_SECONDS = 3;

/** Records what somebody who pressed Pay at `begin` was told. */
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
 * Without troubles, everybody gets a certain answer within a payment's deadline. Returns those who didn't. `seconds` is
 * the duration of the whole simulation.
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
