import { and, eq, gt, inArray, isNull, lt, type Placeholder, sql } from 'drizzle-orm';
import { type Queryable, statement } from '../../db/client.ts';
import { appUser, knownAddress, session } from '../../db/schema/people.ts';

export type SessionRow = typeof session.$inferSelect;

const newSession = statement((db) => {
  const now = sql.placeholder('now');
  const userId = sql.placeholder('userId');
  const remembered = db.$with('remembered').as(
    db
      .insert(knownAddress)
      .values({ userId, address: sql.placeholder('address'), seenAt: now })
      .onConflictDoUpdate({
        target: [knownAddress.userId, knownAddress.address],
        set: { seenAt: sql`excluded.seen_at` },
      })
      .returning({ userId: knownAddress.userId }),
  );
  const started = db.$with('started').as(
    db
      .insert(session)
      .values({
        id: sql.placeholder('id'),
        userId,
        rotatedAt: now,
        createdAt: now,
        expiresAt: sql.placeholder('expiresAt'),
      })
      .returning({ id: session.id }),
  );
  return db
    .with(remembered, started)
    .update(session)
    .set({ endedAt: sql`${sql.param(now, session.endedAt)}` })
    .where(inArray(session.id, sessionsBeyond(db, { userId, keep: sql.placeholder('others') })))
    .prepare('start_session');
});

/**
 * A user's new session, and the address that it was started at. Of the user's older sessions, the `others` that were used
 * last go on; the rest have ended. One statement, so all of it or nothing.
 */
export async function insertSession(
  db: Queryable,
  values: { id: string; userId: string; address: string; now: Date; expiresAt: Date; others: number },
): Promise<void> {
  await newSession(db).execute(values);
}

/** All of a user's sessions but the `keep` that were used last. */
function sessionsBeyond(
  db: Queryable,
  { userId, keep }: { userId: string | Placeholder; keep: number | Placeholder },
) {
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
    .select()
    .from(session)
    .where(and(eq(session.id, id), isNull(session.endedAt), gt(session.expiresAt, now)));
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
