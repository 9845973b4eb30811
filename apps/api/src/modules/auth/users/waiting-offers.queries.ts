import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { accountOffer } from '../../../db/schema/payments.ts';

const WAITING_DAYS = 7;
const REMOVED_AT_ONCE = 1000;

/** The location that a guest proved before making an account after paying. */
export type WaitingOffer = { intentId: string; locationId: number; zipKey: string };

/** Keeps the offer for the account's first sign-in. */
export async function putWaitingOffer(tx: Queryable, row: WaitingOffer & { userId: string }): Promise<void> {
  const expiresAt = sql`engine_now() + make_interval(days => ${WAITING_DAYS})`;
  await tx.insert(accountOffer).values({ ...row, expiresAt });
}

export async function hasWaitingOffer(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db
    .select({ userId: accountOffer.userId })
    .from(accountOffer)
    .where(eq(accountOffer.userId, userId));
  return rows.length > 0;
}

/** Removes and returns the offer, so that it can be used only once. */
export async function takeWaitingOffer(
  tx: Queryable,
  userId: string,
): Promise<(WaitingOffer & { isOver: boolean }) | undefined> {
  const [row] = await tx
    .delete(accountOffer)
    .where(eq(accountOffer.userId, userId))
    .returning({
      intentId: accountOffer.intentId,
      locationId: accountOffer.locationId,
      zipKey: accountOffer.zipKey,
      isOver: sql<boolean>`${accountOffer.expiresAt} <= engine_now()`,
    });
  return row;
}

/** Drops the offer: the account's new owner may not be the payer. */
export async function dropWaitingOffer(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(accountOffer).where(eq(accountOffer.userId, userId));
}

/** Deletes in batches, by the index. */
export async function removeWaitingOffersThatAreOver(db: Queryable): Promise<void> {
  let removed: number;
  do {
    const { rows } = await db.execute(sql`
      DELETE FROM account_offer WHERE user_id = ANY(ARRAY(
        SELECT user_id FROM account_offer WHERE expires_at < (SELECT engine_now())
         ORDER BY expires_at LIMIT ${REMOVED_AT_ONCE}))
      RETURNING user_id`);
    removed = rows.length;
  } while (removed === REMOVED_AT_ONCE);
}
