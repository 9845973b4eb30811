/** Tasks that one instance runs for all, at UTC times of the engine's clock. */
export const SCHEDULE = {
  'check-mail': { everySeconds: 60, atSeconds: 0 },
  'check-books': { everySeconds: 300, atSeconds: 0 },
  'check-all-books': { everySeconds: 86_400, atSeconds: (2 * 60 + 10) * 60 },
  // Each account stores when it is due: at 3:40, and sooner if the provider didn't show everything.
  'compare-books': { everySeconds: 60, atSeconds: 0 },
  // Backfills shares of older payments, a minute at a time, until all have them.
  'fill-shares': { everySeconds: 60, atSeconds: 30 },
  'forget-old': { everySeconds: 3_600, atSeconds: 17 * 60 },
} as const satisfies Record<string, Slots>;

/** The first slot starts at this offset after midnight, and then one every `everySeconds`. */
export type Slots = { everySeconds: number; atSeconds: number };

export type ScheduledTask = keyof typeof SCHEDULE;
