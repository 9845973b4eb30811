const FIRST_SECONDS = [5, 15, 60, 300, 900];
/** Nothing of payments, refunds and mail waits longer to be tried again. */
export const LONGEST_BACK_OFF_SECONDS = 3_600;

/** How long to wait before the next attempt, after this many. */
export const backOffSeconds = (attempts: number): number =>
  FIRST_SECONDS[Math.max(attempts, 1) - 1] ?? LONGEST_BACK_OFF_SECONDS;
