/** So many of what waits are counted at most: beyond it the number helps nobody. */
export const MOST_WAITING = 100;
