import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { emailChange } from '../../../db/schema/people.ts';

/** A change that was neither confirmed, canceled nor undone. */
export const isOpen = (): SQL | undefined =>
  and(isNull(emailChange.confirmedAt), isNull(emailChange.cancelledAt), isNull(emailChange.undoneAt));

/** A new password or a newer request cancels the unconfirmed change of address. */
export async function cancelOpenEmailChange(tx: Queryable, userId: string): Promise<void> {
  await tx
    .update(emailChange)
    .set({ cancelledAt: sql`engine_now()` })
    .where(and(eq(emailChange.userId, userId), isOpen()));
}
