import { USER_TYPE } from '@brightpane/contract/users';
import { and, eq, getTableColumns, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { executePrepared } from '../../db/execute-prepared.ts';
import { appUser, session } from '../../db/schema/people.ts';

export type SessionRow = typeof session.$inferSelect;

/**
 * A user's new session, and the address that it was started at, if the account is still what was verified: the same
 * password, active and confirmed. The row's lock orders this and whatever ends sessions: a new password, switching off.
 * Of the user's older sessions, the `others` that were used last go on. One statement, so all of it or nothing.
 */
export async function insertSession(
  db: Queryable,
  values: {
    id: string;
    userId: string;
    passwordHash: string;
    address: string;
    now: Date;
    expiresAt: Date;
    others: number;
  },
): Promise<boolean> {
  const { id, userId, passwordHash, address, now, expiresAt, others } = values;
  const started = await executePrepared<{ id: string }>(
    db,
    sql`
    WITH holder AS MATERIALIZED (
      SELECT id FROM app_user
       WHERE id = ${userId}::uuid AND password_hash = ${passwordHash}
         AND active AND email_confirmed_at IS NOT NULL AND user_type = 2
         FOR SHARE),
    remembered AS (
      INSERT INTO known_address (user_id, address, seen_at)
      SELECT id, ${address}, ${now}::timestamptz FROM holder
      ON CONFLICT (user_id, address) DO UPDATE SET seen_at = excluded.seen_at),
    started AS (
      INSERT INTO session (id, user_id, rotated_at, created_at, expires_at)
      SELECT ${id}::uuid, id, ${now}::timestamptz, ${now}::timestamptz, ${expiresAt}::timestamptz FROM holder
      RETURNING id),
    ended AS (
      UPDATE session SET ended_at = ${now}::timestamptz
       WHERE id IN (SELECT s.id FROM session s
                     WHERE s.user_id = (SELECT id FROM holder) AND s.ended_at IS NULL
                     ORDER BY s.rotated_at DESC, s.created_at DESC OFFSET ${others}::integer))
    SELECT id FROM started`,
  );
  return started.length > 0;
}

/** All of a user's sessions but the `keep` that were used last. */
function sessionsBeyond(db: Queryable, { userId, keep }: { userId: string; keep: number }) {
  return db
    .select({ id: session.id })
    .from(session)
    .where(and(eq(session.userId, userId), isNull(session.endedAt)))
    .orderBy(sql`${session.rotatedAt} DESC, ${session.createdAt} DESC`)
    .offset(keep);
}

/** Goes on to the next generation, if the given one is still the session's and its user may be signed in. */
export async function rotateSession(
  db: Queryable,
  { id, generation, now }: { id: string; generation: number; now: Date },
): Promise<SessionRow | undefined> {
  const [row] = await db
    .update(session)
    .set({ generation: sql`${session.generation} + 1`, rotatedAt: now })
    .from(appUser)
    .where(
      and(
        eq(session.id, id),
        eq(session.generation, generation),
        isNull(session.endedAt),
        gt(session.expiresAt, now),
        eq(appUser.id, session.userId),
        appUser.active,
        eq(appUser.userType, USER_TYPE.user),
      ),
    )
    .returning({
      id: session.id,
      userId: session.userId,
      generation: session.generation,
      rotatedAt: session.rotatedAt,
      createdAt: session.createdAt,
      expiresAt: session.expiresAt,
      endedAt: session.endedAt,
    });
  return row;
}

export async function findLiveSession(
  db: Queryable,
  { id, now }: { id: string; now: Date },
): Promise<SessionRow | undefined> {
  const [row] = await db
    .select(getTableColumns(session))
    .from(session)
    .innerJoin(appUser, eq(appUser.id, session.userId))
    .where(
      and(
        eq(session.id, id),
        isNull(session.endedAt),
        gt(session.expiresAt, now),
        eq(appUser.userType, USER_TYPE.user),
      ),
    );
  return row;
}

export async function endSession(db: Queryable, { id, now }: { id: string; now: Date }): Promise<void> {
  await db
    .update(session)
    .set({ endedAt: now })
    .where(and(eq(session.id, id), isNull(session.endedAt)));
}

/** Ends all of a user's sessions but the `keep` that were used last. */
export async function endSessionsBeyond(
  db: Queryable,
  { userId, keep, now }: { userId: string; keep: number; now: Date },
): Promise<number> {
  const ended = await db
    .update(session)
    .set({ endedAt: now })
    .where(inArray(session.id, sessionsBeyond(db, { userId, keep })))
    .returning({ id: session.id });
  return ended.length;
}

export async function findSessionsEndedSince(db: Queryable, since: Date): Promise<string[]> {
  const rows = await db.select({ id: session.id }).from(session).where(gt(session.endedAt, since));
  return rows.map((row) => row.id);
}

export async function removeSessionsExpiredBefore(db: Queryable, date: Date): Promise<void> {
  await db.delete(session).where(lt(session.expiresAt, date));
}
