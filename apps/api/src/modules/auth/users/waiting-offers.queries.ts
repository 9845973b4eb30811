import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import { removeOld } from '../../../db/statements/remove-old.queries.ts';

const WAITING_DAYS = 7;

/** The location that a guest proved before making an account after paying. */
export type WaitingOffer = { intentId: string; locationId: number; zipKey: string };

/** Keeps the offer for the account's first sign-in. */
export async function putWaitingOffer(
  tx: Queryable,
  { userId, intentId, locationId, zipKey }: WaitingOffer & { userId: string },
): Promise<void> {
  await query(tx)`
    INSERT INTO account_offer (user_id, intent_id, location_id, zip_key, expires_at)
    VALUES (${userId}, ${intentId}, ${locationId}, ${zipKey}, engine_now() + make_interval(days => ${WAITING_DAYS}))`;
}

export async function hasWaitingOffer(db: Queryable, userId: string): Promise<boolean> {
  const rows = await query(db, { plan: 'once' })`SELECT FROM account_offer WHERE user_id = ${userId}`;
  return rows.length > 0;
}

/** Removes and returns the offer, so that it can be used only once. */
export async function takeWaitingOffer(
  tx: Queryable,
  userId: string,
): Promise<(WaitingOffer & { isOver: boolean }) | undefined> {
  const [row] = await query<WaitingOffer & { isOver: boolean }>(tx)`
    DELETE FROM account_offer WHERE user_id = ${userId}
    RETURNING intent_id AS "intentId", location_id AS "locationId", zip_key AS "zipKey",
              expires_at <= engine_now() AS "isOver"`;
  return row;
}

/** Drops the offer: the account's new owner may not be the payer. */
export async function dropWaitingOffer(tx: Queryable, userId: string): Promise<void> {
  await query(tx)`DELETE FROM account_offer WHERE user_id = ${userId}`;
}

export async function removeWaitingOffersThatAreOver(db: Queryable): Promise<void> {
  const where = sql`expires_at < (SELECT engine_now())`;
  await removeOld(db, { from: 'account_offer', where, oldestBy: 'expires_at' });
}
