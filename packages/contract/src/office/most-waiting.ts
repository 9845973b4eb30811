/** Counting stops here: a higher number helps nobody. */
export const MOST_WAITING = 100;
