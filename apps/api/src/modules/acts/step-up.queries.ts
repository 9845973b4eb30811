import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { stepUp } from '../../db/schema/staff.ts';

export const STEP_UP_SECONDS = 300;

/** Returns when it expires. */
export async function insertStepUp(
  tx: Queryable,
  row: { tokenHash: Buffer; sessionId: string; actHash: Buffer; factorId: string | null },
): Promise<Date> {
  const [made] = await tx
    .insert(stepUp)
    .values({ ...row, expiresAt: sql`engine_now() + ${STEP_UP_SECONDS} * interval '1 second'` as never })
    .returning({ expiresAt: stepUp.expiresAt });
  if (!made) throw new Error('the step-up was not written');
  return made.expiresAt;
}

/** Spends the step-up in the act's own transaction, so it is used only if the act is done. */
export async function markStepUpUsed(
  tx: Queryable,
  named: { tokenHash: Buffer; sessionId: string; actHash: Buffer; secondsLeft: number },
): Promise<boolean> {
  const used = await tx
    .update(stepUp)
    .set({ usedAt: sql`engine_now()` })
    .where(
      and(
        eq(stepUp.tokenHash, named.tokenHash),
        eq(stepUp.sessionId, named.sessionId),
        eq(stepUp.actHash, named.actHash),
        isNull(stepUp.usedAt),
        gt(stepUp.expiresAt, sql`engine_now() + ${named.secondsLeft} * interval '1 second'`),
      ),
    )
    .returning({ tokenHash: stepUp.tokenHash });
  return used.length > 0;
}

export async function removeStepUpsBefore(db: Queryable, date: Date): Promise<void> {
  await db.delete(stepUp).where(lt(stepUp.expiresAt, date));
}
