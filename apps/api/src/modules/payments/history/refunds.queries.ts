import { sql } from 'drizzle-orm';

// What has been given back of a line `line` of a payment: the one place that says so. No call gives money back yet.

/** In cents, of the line's total. */
export const refundedCents = sql`0::bigint`;

/** When, and how much each time: `[{"refundedAt", "amountCents"}]`. */
export const refundsOfLine = sql`'[]'::json`;
