/** Tasks that one instance runs for all, at times of the engine's clock in UTC. */
export const SCHEDULE = {
  'check-mail': { everySeconds: 60, atSeconds: 0 },
  'check-books': { everySeconds: 300, atSeconds: 0 },
  'check-all-books': { everySeconds: 86_400, atSeconds: (2 * 60 + 10) * 60 },
  // Each account stands for when it is due: at 3:40, and sooner where the provider didn't show everything.
  'compare-books': { everySeconds: 60, atSeconds: 0 },
  // Works through older books, a minute at a time, until all have their shares.
  'fill-shares': { everySeconds: 60, atSeconds: 30 },
  'forget-old': { everySeconds: 3_600, atSeconds: 17 * 60 },
} as const satisfies Record<string, Slots>;

/** A slot begins so long after midnight, and then each time that so much has passed. */
export type Slots = { everySeconds: number; atSeconds: number };

export type ScheduledTask = keyof typeof SCHEDULE;
