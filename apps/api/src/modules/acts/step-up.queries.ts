import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { query } from '../../db/query.ts';
import { removeOld } from '../../db/statements/remove-old.queries.ts';

export const STEP_UP_SECONDS = 300;

/** Returns when it expires. */
export async function insertStepUp(
  tx: Queryable,
  row: { tokenHash: Buffer; sessionId: string; actHash: Buffer; factorId: string | null },
): Promise<Date> {
  const [made] = await query<{ expiresAt: Date }>(tx)`
    INSERT INTO step_up (token_hash, session_id, act_hash, factor_id, expires_at)
    VALUES (${row.tokenHash}, ${row.sessionId}, ${row.actHash}, ${row.factorId},
            engine_now() + ${STEP_UP_SECONDS} * interval '1 second')
    RETURNING expires_at AS "expiresAt"`;
  if (!made) throw new Error('the step-up was not written');
  return made.expiresAt;
}

/**
 * Spends the step-up in the act's own transaction, so it is used only if the act is done. False if its session has ended,
 * as by a new password that the act waited for.
 */
export async function markStepUpUsed(
  tx: Queryable,
  named: { tokenHash: Buffer; sessionId: string; actHash: Buffer; secondsLeft: number },
): Promise<boolean> {
  const used = await query(tx)`
    UPDATE step_up SET used_at = engine_now()
     WHERE token_hash = ${named.tokenHash} AND session_id = ${named.sessionId} AND act_hash = ${named.actHash}
       AND used_at IS NULL AND expires_at > engine_now() + ${named.secondsLeft} * interval '1 second'
       AND EXISTS (SELECT FROM office_session o WHERE o.id = step_up.session_id AND o.ended_at IS NULL)
    RETURNING token_hash`;
  return used.length > 0;
}

export async function removeStepUpsBefore(db: Queryable, date: Date): Promise<void> {
  await removeOld(db, { from: 'step_up', where: sql`expires_at < ${date}`, oldestBy: 'expires_at' });
}
