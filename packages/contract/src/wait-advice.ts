/** What a refused call says about waiting. */
export type Refusal = {
  status: number;
  /** From Retry-After; `null` if it is missing or unreadable. */
  retryAfterSeconds?: number | null;
};

/** The status of a refusal without an answer: offline, cut off, timed out or unreadable. */
export const NO_ANSWER = 0;

/** Whether the call may have been carried out, although the server didn't say so. */
export function mayBeDone({ status }: Refusal): boolean {
  return status === NO_ANSWER || status >= 500;
}

const REASONS: Record<number, string> = { 429: 'Too many tries.', 503: 'The portal is busy.' };

/** The reason and when to retry, for answers that only ask to wait (429, 503); empty for others. */
export function waitAdvice(refusal: Refusal): string {
  const reason = REASONS[refusal.status];
  return reason === undefined ? '' : `${reason} ${waitSentence(refusal)}`;
}

/** A sentence of the specification, followed by what to do. */
export function withWaitAdvice(sentence: string, refusal: Refusal): string {
  return append(sentence, waitAdvice(refusal));
}

/** Like `withWaitAdvice`, for a sentence that already names the reason. */
export function withWait(sentence: string, refusal: Refusal): string {
  return append(sentence, refusal.status in REASONS ? waitSentence(refusal) : '');
}

function waitSentence({ retryAfterSeconds = null }: Refusal): string {
  return `Wait ${duration(retryAfterSeconds)}, then try again.`;
}

/** Rounds up: whoever waits this long must be let in. */
function duration(seconds: number | null): string {
  if (seconds === null || seconds <= 0) return 'a moment';
  const whole = Math.ceil(seconds);
  if (whole < 60) return counted(whole, 'second');
  const minutes = Math.ceil(whole / 60);
  return minutes < 60 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

function append(sentence: string, advice: string): string {
  if (advice === '') return sentence;
  return `${/[.!?]$/.test(sentence) ? sentence : `${sentence}.`} ${advice}`;
}

/** Retry-After in seconds. It may also be a date, which is compared with the server's clock. */
export function readRetryAfter(headers: Pick<Headers, 'get'>, now: number = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return null;
  const serverTime = Date.parse(headers.get('date') ?? '');
  return Math.max(0, (until - (Number.isNaN(serverTime) ? now : serverTime)) / 1000);
}
