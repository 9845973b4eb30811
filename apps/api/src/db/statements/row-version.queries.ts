import { type SQL, sql } from 'drizzle-orm';

/** A version made from a text that changes with what somebody may see: a 28-bit number, for `If-Match`. */
export const rowVersion = (text: SQL): SQL => sql`('x' || left(md5(${text}), 7))::bit(28)::integer`;
