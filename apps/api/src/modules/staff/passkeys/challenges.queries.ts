import type { Queryable } from '../../../db/client.ts';
import { query } from '../../../db/query.ts';
import type { officeChallenge } from '../../../db/schema/staff.ts';

export type Purpose = (typeof officeChallenge.$inferSelect)['purpose'];

/** What a challenge is bound to; it is valid for nothing else. */
export type Bound = {
  purpose: Purpose;
  sessionId: string | null;
  actHash: Buffer | null;
};

export async function insertChallenge(
  db: Queryable,
  { challenge, purpose, sessionId, actHash }: Bound & { challenge: Buffer },
): Promise<void> {
  await query(db)`
    INSERT INTO office_challenge (challenge, purpose, session_id, act_hash, expires_at)
    VALUES (${challenge}, ${purpose}, ${sessionId}, ${actHash}, engine_now() + interval '5 minutes')`;
}

/** Spends a challenge. False if it isn't valid for this, or was used. */
export async function spendChallenge(
  tx: Queryable,
  { challenge, purpose, sessionId, actHash }: Bound & { challenge: Buffer },
): Promise<boolean> {
  const spent = await query(tx)`
    UPDATE office_challenge SET used_at = engine_now()
     WHERE challenge = ${challenge} AND purpose = ${purpose}
       AND session_id IS NOT DISTINCT FROM ${sessionId}::uuid AND act_hash IS NOT DISTINCT FROM ${actHash}::bytea
       AND used_at IS NULL AND expires_at > engine_now()
    RETURNING id`;
  return spent.length > 0;
}

export async function removeChallengesBefore(db: Queryable, date: Date): Promise<void> {
  await query(db)`DELETE FROM office_challenge WHERE expires_at < ${date}`;
}
