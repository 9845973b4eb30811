import { sql } from 'drizzle-orm';
import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import type { officeChallenge } from '../../../db/schema/staff.ts';
import { removeOld } from '../../../db/statements/remove-old.queries.ts';

export type Purpose = (typeof officeChallenge.$inferSelect)['purpose'];

/** What a challenge is bound to; it is valid for nothing else. */
export type Bound = {
  purpose: Purpose;
  sessionId: string | null;
  actHash: Buffer | null;
};

/** Notes a challenge as used; false if it was before. */
export async function insertSpentChallenge(
  tx: Queryable,
  { challenge, purpose, sessionId, actHash, expiresAt }: Bound & { challenge: Buffer; expiresAt: Date },
): Promise<boolean> {
  const spent = await query(tx)`
    INSERT INTO office_challenge (challenge, purpose, session_id, act_hash, expires_at, used_at)
    VALUES (${challenge}, ${purpose}, ${sessionId}, ${actHash}, ${expiresAt}, engine_now())
    ON CONFLICT (challenge) DO NOTHING RETURNING id`;
  return spent.length > 0;
}

export async function removeChallengesBefore(db: Queryable, date: Date): Promise<void> {
  await removeOld(db, { from: 'office_challenge', where: sql`expires_at < ${date}`, oldestBy: 'expires_at' });
}
