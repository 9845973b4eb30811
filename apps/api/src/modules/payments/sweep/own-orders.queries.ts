import { type SQL, sql } from 'drizzle-orm';

/**
 * Whether charge `c` was begun by this deployment. Others belong to the same books at another address, whose portal may
 * still work on them: these books may be a copy.
 */
export const isOwnOrder = (publicUrl: string): SQL => sql`
  split_part(c.order_id, '-', 1) = ANY (ARRAY(
    SELECT order_prefix FROM deployment WHERE public_url = ${publicUrl}))`;
