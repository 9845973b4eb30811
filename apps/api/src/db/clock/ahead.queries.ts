import { type SQL, sql } from 'drizzle-orm';

/** The clocks of two hosts drift apart by no more. */
const DRIFT_SECONDS = 5;

/** From a payment's claim to its deadline, at most. */
export const LONGEST_PAYMENT_SECONDS = 65;

/**
 * The deadline is over. So is one that lies further ahead than any does: it is from before the engine's clock was set back,
 * after a fail-over to a host with the right clock, say. Asks for the time when it reads the row.
 */
export const isPastDeadline = (column: string): SQL => sql`
  (${sql.raw(column)} < engine_now()
   OR ${sql.raw(column)} > engine_now() + make_interval(secs => ${LONGEST_PAYMENT_SECONDS + DRIFT_SECONDS}))`;
