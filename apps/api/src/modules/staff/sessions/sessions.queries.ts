import type { Role } from '@brightpane/contract/office-rights';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { listOf, query } from '../../../db/query.ts';
import type { officeSession, staff } from '../../../db/schema/staff.ts';
import { removeOld } from '../../../db/statements/remove-old.queries.ts';

type SessionRow = typeof officeSession.$inferSelect;
export type Level = SessionRow['level'];
export type Method = SessionRow['method'];
export type StaffState = (typeof staff.$inferSelect)['state'];

/** How long a session of each level lives. */
export const SESSION_SECONDS: Record<Level, number> = { password: 300, enrol: 1_800, full: 12 * 3600 };
const IDLE_MINUTES = 30;
const MOST_SESSIONS = 5;

export type NewSession = {
  tokenHash: Buffer;
  staffId: string;
  level: Level;
  method: Method;
  device: string;
  /** The session that this one replaces. */
  from: string | null;
  /** The password's hash that was checked, if one was. */
  passwordHash: string | null;
  states: StaffState[];
};

/**
 * Starts a session if the person still is what was checked: this password, one of these states, and a
 * replaced session that hasn't ended. The row locks order this with whatever ends sessions. Keeps the
 * person's five newest full sessions.
 */
export async function insertSession(db: Queryable, given: NewSession): Promise<{ id: string } | undefined> {
  const [row] = await query<{ id: string }>(db)`
    WITH holder AS MATERIALIZED (
      SELECT s.id FROM staff s JOIN app_user u ON u.id = s.user_id
       WHERE s.id = ${given.staffId} AND s.held_at IS NULL AND s.state = ANY(${listOf(given.states, 'text')})
         AND (${given.passwordHash}::text IS NULL OR u.password_hash = ${given.passwordHash})
         FOR SHARE OF s, u),
    gone_on AS (
      UPDATE office_session SET ended_at = engine_now(), end_reason = 'gone-on'
       WHERE id = ${given.from}::uuid AND ended_at IS NULL AND expires_at > engine_now() RETURNING id),
    started AS (
      INSERT INTO office_session (token_hash, staff_id, level, method, device, expires_at)
      SELECT ${given.tokenHash}, id, ${given.level}, ${given.method}, ${given.device},
             engine_now() + ${SESSION_SECONDS[given.level]} * interval '1 second'
        FROM holder WHERE ${given.from}::uuid IS NULL OR EXISTS (SELECT FROM gone_on)
      RETURNING id),
    ended AS (
      UPDATE office_session SET ended_at = engine_now(), end_reason = 'too-many'
       WHERE ${given.level} = 'full' AND id IN (
         SELECT o.id FROM office_session o
          WHERE o.staff_id = (SELECT id FROM holder) AND o.level = 'full' AND o.ended_at IS NULL
            AND o.expires_at > engine_now()
          ORDER BY o.created_at DESC OFFSET ${MOST_SESSIONS - 1}))
    SELECT id FROM started`;
  return row;
}

export type SessionFacts = {
  id: string;
  staffId: string;
  level: Level;
  isDemo: boolean;
  isIdle: boolean;
  /** Whether the time of the last call needs updating. */
  isDue: boolean;
  role: Role;
  state: StaffState;
  isHeld: boolean;
  email: string;
};

/** The session of a cookie, with its person. Read on every call. */
export async function findSession(db: Queryable, tokenHash: Buffer): Promise<SessionFacts | undefined> {
  const [row] = await query<SessionFacts>(db)`
    SELECT o.id, o.staff_id AS "staffId", o.level, o.method = 'demo' AS "isDemo",
           o.level = 'full' AND o.method <> 'demo'
             AND o.seen_at < engine_now() - ${IDLE_MINUTES} * interval '1 minute' AS "isIdle",
           o.seen_at < engine_now() - interval '1 minute' AS "isDue",
           s.role, s.state, s.held_at IS NOT NULL AS "isHeld", u.email
      FROM office_session o
      JOIN staff s ON s.id = o.staff_id
      JOIN app_user u ON u.id = s.user_id
     WHERE o.token_hash = ${tokenHash} AND o.ended_at IS NULL AND o.expires_at > engine_now()`;
  return row;
}

const isLive = sql`ended_at IS NULL AND expires_at > engine_now()`;

/** False if it has ended meanwhile. */
export async function renewSession(
  db: Queryable,
  { id, tokenHash }: { id: string; tokenHash: Buffer },
): Promise<boolean> {
  const renewed = await query(db)`
    UPDATE office_session SET token_hash = ${tokenHash}, seen_at = engine_now()
     WHERE id = ${id} AND ${isLive} RETURNING id`;
  return renewed.length > 0;
}

export async function noteSeen(db: Queryable, id: string): Promise<void> {
  await query(db)`UPDATE office_session SET seen_at = engine_now() WHERE id = ${id}`;
}

/** Ends the person's sessions that match `which`, or all. */
export async function endSessions(
  db: Queryable,
  { staffId, reason, which = sql`true` }: { staffId: string; reason: string; which?: SQL | undefined },
): Promise<number> {
  const ended = await query(db)`
    UPDATE office_session SET ended_at = engine_now(), end_reason = ${reason}
     WHERE staff_id = ${staffId} AND ended_at IS NULL AND ${which} RETURNING id`;
  return ended.length;
}

export const isSession = (id: string): SQL => sql`id = ${id}`;
export const isOtherSession = (id: string): SQL => sql`id <> ${id}`;

export type OpenSession = {
  sessionId: string;
  device: string;
  since: Date;
  lastSeenAt: Date;
};

export async function listSessions(db: Queryable, staffId: string): Promise<OpenSession[]> {
  return query<OpenSession>(db)`
    SELECT id AS "sessionId", device, created_at AS since, seen_at AS "lastSeenAt" FROM office_session
     WHERE staff_id = ${staffId} AND level = 'full' AND ${isLive} ORDER BY created_at DESC`;
}

export async function removeSessionsBefore(db: Queryable, date: Date): Promise<void> {
  await removeOld(db, { from: 'office_session', where: sql`expires_at < ${date}`, oldestBy: 'expires_at' });
}
