import { type SQL, sql } from 'drizzle-orm';

/**
 * Whether charge `c` was begun by this deployment, or at an address that has moved here. Others were begun elsewhere, where
 * a portal may still work on them: these books may be a copy.
 */
export const isOwnOrder = (publicUrl: string): SQL => sql`
  split_part(c.order_id, '-', 1) = ANY (ARRAY(
    SELECT order_prefix FROM deployment WHERE ${publicUrl} IN (public_url, moved_to)))`;
