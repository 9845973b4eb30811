import { USER_TYPE } from '@brightpane/contract/customers/users';
import { and, desc, eq, gt, inArray, isNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { appUser, session } from '../../../db/schema/people.ts';
import { executePrepared } from '../../../db/statements/execute-prepared.ts';

const SESSION_DAYS = 30;
const IDLE_DAYS = 7;
/** How long the previous token stays valid: tabs that refresh at the same time all get the same successor. */
const GRACE_SECONDS = 30;

/** Sessions use the engine's clock. In a subselect, so that it is read once per statement and indexes apply. */
const ago = (days: number): SQL<Date> => sql`(SELECT engine_now()) - make_interval(days => ${days})`;

/** A session ends after a week without a refresh: whoever finds the phone then has to sign in. */
const isLive = () =>
  and(
    isNull(session.endedAt),
    gt(session.expiresAt, sql`(SELECT engine_now())`),
    gt(session.rotatedAt, ago(IDLE_DAYS)),
  );

/**
 * Starts a session and remembers its address, if the account still is what was verified: same password, active and
 * confirmed. The row lock orders this with whatever ends sessions, such as a new password. Keeps the `others` most
 * recently used sessions. One statement, so all or nothing.
 */
export async function insertSession(
  db: Queryable,
  values: {
    id: string;
    userId: string;
    passwordHash: string;
    device: string;
    address: string;
    now: Date;
    others: number;
  },
): Promise<boolean> {
  const { id, userId, passwordHash, device, address, now, others } = values;
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
      INSERT INTO session (id, user_id, device, rotated_at, created_at, expires_at)
      SELECT ${id}::uuid, holder.id, ${device}, at, at, at + make_interval(days => ${SESSION_DAYS})
        FROM holder CROSS JOIN (SELECT engine_now() AS at OFFSET 0) AS engine
      RETURNING id),
    ended AS (
      UPDATE session SET ended_at = engine_now()
       WHERE id IN (SELECT s.id FROM session s
                     WHERE s.user_id = (SELECT id FROM holder) AND s.ended_at IS NULL
                     ORDER BY s.rotated_at DESC, s.created_at DESC OFFSET ${others}::integer))
    SELECT id FROM started`,
  );
  return started.length > 0;
}

/** All of a user's sessions except the `keep` most recently used. */
function sessionsBeyond(db: Queryable, { userId, keep }: { userId: string; keep: number }) {
  return db
    .select({ id: session.id })
    .from(session)
    .where(and(eq(session.userId, userId), isNull(session.endedAt)))
    .orderBy(sql`${session.rotatedAt} DESC, ${session.createdAt} DESC`)
    .offset(keep);
}

export type LiveSession = { id: string; userId: string; generation: number };

/** Advances to the next generation, if the given one is current and the user may be signed in. */
export async function rotateSession(
  db: Queryable,
  { id, generation }: { id: string; generation: number },
): Promise<LiveSession | undefined> {
  const [row] = await db
    .update(session)
    .set({ generation: sql`${session.generation} + 1`, rotatedAt: sql`engine_now()` })
    .from(appUser)
    .where(
      and(
        eq(session.id, id),
        eq(session.generation, generation),
        isLive(),
        eq(appUser.id, session.userId),
        appUser.active,
        eq(appUser.userType, USER_TYPE.user),
      ),
    )
    .returning({ id: session.id, userId: session.userId, generation: session.generation });
  return row;
}

export async function findLiveSession(
  db: Queryable,
  id: string,
): Promise<(LiveSession & { isJustRotated: boolean }) | undefined> {
  const [row] = await db
    .select({
      id: session.id,
      userId: session.userId,
      generation: session.generation,
      isJustRotated: sql<boolean>`${session.rotatedAt} >= engine_now() - make_interval(secs => ${GRACE_SECONDS})`,
    })
    .from(session)
    .innerJoin(appUser, eq(appUser.id, session.userId))
    .where(and(eq(session.id, id), isLive(), eq(appUser.userType, USER_TYPE.user)));
  return row;
}

/** A user's live sessions, most recently used first. */
export async function findSessionsOf(
  db: Queryable,
  userId: string,
): Promise<{ sessionId: string; device: string; signedInAt: Date; lastUsedAt: Date }[]> {
  return db
    .select({
      sessionId: session.id,
      device: session.device,
      signedInAt: session.createdAt,
      lastUsedAt: session.rotatedAt,
    })
    .from(session)
    .where(and(eq(session.userId, userId), isLive()))
    .orderBy(desc(session.rotatedAt), desc(session.createdAt), session.id);
}

export async function endSession(db: Queryable, id: string): Promise<void> {
  await db
    .update(session)
    .set({ endedAt: sql`engine_now()` })
    .where(and(eq(session.id, id), isNull(session.endedAt)));
}

/** Ends one of a user's sessions. False if it isn't a live session of theirs. */
export async function endSessionOf(
  db: Queryable,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  const ended = await db
    .update(session)
    .set({ endedAt: sql`engine_now()` })
    .where(and(eq(session.id, sessionId), eq(session.userId, userId), isLive()))
    .returning({ id: session.id });
  return ended.length > 0;
}

/** Ends all of a user's sessions but one. Returns how many were live. */
export async function endOtherSessions(
  db: Queryable,
  { userId, except }: { userId: string; except: string },
): Promise<number> {
  const ended = await db
    .update(session)
    .set({ endedAt: sql`engine_now()` })
    .where(and(eq(session.userId, userId), ne(session.id, except), isLive()))
    .returning({ id: session.id });
  return ended.length;
}

/** Ends all of a user's sessions except the `keep` most recently used. */
export async function endSessionsBeyond(
  db: Queryable,
  { userId, keep }: { userId: string; keep: number },
): Promise<number> {
  const ended = await db
    .update(session)
    .set({ endedAt: sql`engine_now()` })
    .where(inArray(session.id, sessionsBeyond(db, { userId, keep })))
    .returning({ id: session.id });
  return ended.length;
}

export async function findSessionsEndedSince(db: Queryable, secondsAgo: number): Promise<string[]> {
  const rows = await db
    .select({ id: session.id })
    .from(session)
    .where(gt(session.endedAt, sql`(SELECT engine_now()) - make_interval(secs => ${secondsAgo})`));
  return rows.map((row) => row.id);
}

export async function removeSessionsExpiredFor(db: Queryable, days: number): Promise<void> {
  await db.delete(session).where(lt(session.expiresAt, ago(days)));
}
