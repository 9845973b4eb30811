import { USER_TYPE } from '@brightpane/contract/customers/users';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { onlyRow, query } from '../../../db/query.ts';
import { removeOld } from '../../../db/statements/remove-old.queries.ts';

const SESSION_DAYS = 30;
const IDLE_DAYS = 7;
/** How long the previous token stays valid: tabs that refresh at the same time all get the same successor. */
const GRACE_SECONDS = 30;

/** Sessions use the engine's clock. In a subselect, so that it is read once per statement and indexes apply. */
const ago = (days: number): SQL => sql`(SELECT engine_now()) - make_interval(days => ${days})`;

/**
 * A session ends after a week without a refresh: whoever finds the phone then has to sign in. One from before a restore
 * is over, too, as the older database doesn't know whether somebody has ended it since.
 */
const isLive = sql`
  s.ended_at IS NULL AND s.expires_at > (SELECT engine_now()) AND s.rotated_at > ${ago(IDLE_DAYS)}
  AND s.after_notice >= coalesce((SELECT coalesce(continues, id) FROM restore_notice ORDER BY id DESC LIMIT 1), 0)`;

/**
 * Starts a session and remembers its address, if the account still is what was verified: same password, active and
 * confirmed. The row lock orders this with whatever ends sessions, such as a new password. Keeps the
 * `othersKept` most recently used of the other sessions. One statement, so all or nothing.
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
    othersKept: number;
  },
): Promise<boolean> {
  const { id, userId, passwordHash, device, address, now, othersKept } = values;
  const started = await query<{ id: string }>(db, { plan: 'once' })`
    WITH holder AS MATERIALIZED (
      SELECT id FROM app_user
       WHERE id = ${userId}::uuid AND password_hash = ${passwordHash}
         AND active AND email_confirmed_at IS NOT NULL AND user_type = ${USER_TYPE.user}
         FOR SHARE),
    remembered AS (
      INSERT INTO known_address (user_id, address, seen_at)
      SELECT id, ${address}, ${now}::timestamptz FROM holder
      ON CONFLICT (user_id, address) DO UPDATE SET seen_at = excluded.seen_at),
    started AS (
      INSERT INTO session (id, user_id, device, rotated_at, created_at, expires_at, after_notice)
      SELECT ${id}::uuid, holder.id, ${device}, at, at, at + make_interval(days => ${SESSION_DAYS}),
             coalesce((SELECT max(id) FROM restore_notice), 0)
        FROM holder CROSS JOIN (SELECT engine_now() AS at OFFSET 0) AS engine
      RETURNING id),
    ended AS (
      UPDATE session SET ended_at = engine_now()
       WHERE id IN (SELECT s.id FROM session s
                     WHERE s.user_id = (SELECT id FROM holder) AND s.ended_at IS NULL
                     ORDER BY s.rotated_at DESC, s.created_at DESC OFFSET ${othersKept}::integer))
    SELECT id FROM started`;
  return started.length > 0;
}

export type LiveSession = { id: string; userId: string; generation: number };

/** Advances to the next generation, if the given one is current and the user may be signed in. */
export async function rotateSession(
  db: Queryable,
  { id, generation }: { id: string; generation: number },
): Promise<LiveSession | undefined> {
  const [row] = await query<LiveSession>(db, { plan: 'once' })`
    UPDATE session s SET generation = s.generation + 1, rotated_at = engine_now()
      FROM app_user u
     WHERE s.id = ${id} AND s.generation = ${generation} AND ${isLive}
       AND u.id = s.user_id AND u.active AND u.user_type = ${USER_TYPE.user}
    RETURNING s.id, s.user_id AS "userId", s.generation`;
  return row;
}

export async function findLiveSession(
  db: Queryable,
  id: string,
): Promise<(LiveSession & { isJustRotated: boolean }) | undefined> {
  const [row] = await query<LiveSession & { isJustRotated: boolean }>(db)`
    SELECT s.id, s.user_id AS "userId", s.generation,
           s.rotated_at >= engine_now() - make_interval(secs => ${GRACE_SECONDS}) AS "isJustRotated"
      FROM session s JOIN app_user u ON u.id = s.user_id
     WHERE s.id = ${id} AND ${isLive} AND u.user_type = ${USER_TYPE.user}`;
  return row;
}

type ListedSession = { sessionId: string; device: string; signedInAt: Date; lastUsedAt: Date };

/** A user's live sessions, most recently used first. */
export async function findSessionsOf(db: Queryable, userId: string): Promise<ListedSession[]> {
  return query<ListedSession>(db)`
    SELECT s.id AS "sessionId", s.device, s.created_at AS "signedInAt", s.rotated_at AS "lastUsedAt"
      FROM session s WHERE s.user_id = ${userId} AND ${isLive}
     ORDER BY s.rotated_at DESC, s.created_at DESC, s.id`;
}

export async function endSession(db: Queryable, id: string): Promise<void> {
  await query(db)`UPDATE session SET ended_at = engine_now() WHERE id = ${id} AND ended_at IS NULL`;
}

/** Ends one of a user's sessions. False if it isn't a live session of theirs. */
export async function endSessionOf(
  db: Queryable,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  const ended = await query(db)`
    UPDATE session s SET ended_at = engine_now()
     WHERE s.id = ${sessionId} AND s.user_id = ${userId} AND ${isLive} RETURNING s.id`;
  return ended.length > 0;
}

/** Ends all of a user's sessions but one. Returns how many were live. */
export async function endOtherSessions(
  db: Queryable,
  { userId, except }: { userId: string; except: string },
): Promise<number> {
  const ended = await query(db)`
    UPDATE session s SET ended_at = engine_now()
     WHERE s.user_id = ${userId} AND s.id <> ${except} AND ${isLive} RETURNING s.id`;
  return ended.length;
}

/** Ends all of a user's sessions. */
export async function endSessionsOf(db: Queryable, userId: string): Promise<void> {
  await query(db)`UPDATE session SET ended_at = engine_now() WHERE user_id = ${userId} AND ended_at IS NULL`;
}

/**
 * The sessions that ended up to so long before `lastReadAt`, the engine's time that the previous answer named: however far the
 * engine's clock has jumped since, none is passed over.
 */
export async function findSessionsEndedSince(
  db: Queryable,
  { secondsAgo, lastReadAt }: { secondsAgo: number; lastReadAt: Date | null },
): Promise<{ ids: string[]; readAt: Date }> {
  return onlyRow(
    await query<{ ids: string[]; readAt: Date }>(db)`
      SELECT engine_now() AS "readAt",
             ARRAY(SELECT id FROM session WHERE ended_at >
                     LEAST((SELECT engine_now()), ${lastReadAt}::timestamptz) - make_interval(secs => ${secondsAgo})
             ) AS ids`,
  );
}

export async function removeSessionsExpiredFor(db: Queryable, days: number): Promise<void> {
  await removeOld(db, { from: 'session', where: sql`expires_at < ${ago(days)}`, oldestBy: 'expires_at' });
}
