import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from '../../../db/client.ts';
import { officeChallenge } from '../../../db/schema/staff.ts';

export type Purpose = (typeof officeChallenge.$inferSelect)['purpose'];

/** What a challenge is bound to; it is valid for nothing else. */
export type Bound = {
  purpose: Purpose;
  sessionId: string | null;
  actHash: Buffer | null;
};

const is = (column: AnyPgColumn, value: unknown): SQL =>
  value === null ? isNull(column) : eq(column, value);

export async function insertChallenge(db: Queryable, row: Bound & { challenge: Buffer }): Promise<void> {
  await db
    .insert(officeChallenge)
    .values({ ...row, expiresAt: sql`engine_now() + interval '5 minutes'` as never });
}

/** Spends a challenge. False if it isn't valid for this, or was used. */
export async function spendChallenge(
  tx: Queryable,
  { challenge, purpose, sessionId, actHash }: Bound & { challenge: Buffer },
): Promise<boolean> {
  const spent = await tx
    .update(officeChallenge)
    .set({ usedAt: sql`engine_now()` })
    .where(
      and(
        eq(officeChallenge.challenge, challenge),
        eq(officeChallenge.purpose, purpose),
        is(officeChallenge.sessionId, sessionId),
        is(officeChallenge.actHash, actHash),
        isNull(officeChallenge.usedAt),
        gt(officeChallenge.expiresAt, sql`engine_now()`),
      ),
    )
    .returning({ id: officeChallenge.id });
  return spent.length > 0;
}

export async function removeChallengesBefore(db: Queryable, date: Date): Promise<void> {
  await db.delete(officeChallenge).where(lt(officeChallenge.expiresAt, date));
}
