import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { emailChange } from '../../../db/schema/people.ts';

/** A change that nobody has confirmed, cancelled or undone. */
export const isOpen = (): SQL | undefined =>
  and(isNull(emailChange.confirmedAt), isNull(emailChange.cancelledAt), isNull(emailChange.undoneAt));

/** A new password, and a newer request, takes back the change of address that nobody has confirmed. */
export async function cancelOpenEmailChange(tx: Queryable, userId: string): Promise<void> {
  await tx
    .update(emailChange)
    .set({ cancelledAt: sql`engine_now()` })
    .where(and(eq(emailChange.userId, userId), isOpen()));
}
