import { type SQL, sql } from 'drizzle-orm';

/** The clocks of two hosts drift apart by no more. */
const DRIFT_SECONDS = 5;

/**
 * Whether a wait ends later than any of its kind does. Then it is from before the engine's clock was set back: after a
 * fail-over to a host with the right clock, say. Such a wait would last for as long as the clock had been ahead.
 */
export const isAhead = (column: string, longestSeconds: number): SQL =>
  sql`${sql.raw(column)} > (SELECT engine_now()) + make_interval(secs => ${longestSeconds + DRIFT_SECONDS})`;

/** How long a worker, or a person's act, has a charge, a refund or a mail to itself. */
export const LEASE_SECONDS = 60;

/** The end of a lease that begins now. */
export const leaseEnd = sql.raw(`engine_now() + interval '${LEASE_SECONDS} seconds'`);

/** Nobody has the row to itself. A lease that lies further ahead than leases last has ended. */
export const isUnleased = (column: string): SQL => sql`
  (${sql.raw(column)} IS NULL OR ${sql.raw(column)} < (SELECT engine_now()) OR ${isAhead(column, LEASE_SECONDS)})`;

/** From a payment's claim to its deadline, at most. */
export const LONGEST_PAYMENT_SECONDS = 65;

/** The deadline is over; so is one that lies further ahead than any does. Asks for the time when it reads the row. */
export const isPastDeadline = (column: string): SQL => sql`
  (${sql.raw(column)} < engine_now()
   OR ${sql.raw(column)} > engine_now() + make_interval(secs => ${LONGEST_PAYMENT_SECONDS + DRIFT_SECONDS}))`;
