import { sql } from 'drizzle-orm';
import { vi } from 'vitest';
import type { Database } from '../../src/db/client.ts';
import type { Deps } from '../../src/deps.ts';
import type { TestApp } from '../build-test-app.ts';

/** Whether exactly one statement in this database waits for a lock. */
export async function isSomebodyWaitingForALock({ deps }: TestApp): Promise<boolean> {
  const { rowCount } = await deps.db.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount === 1;
}

/**
 * Commits `act` between a call's password check and its first write: the call starts once the transaction of `act`
 * holds the user's row, and `act` goes on when the call waits for that row. Returns the call's answer.
 */
export async function overtake<Answer>(
  portal: TestApp,
  { userId, startCall, act }: Overtaken<Answer>,
): Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  const transaction: Database['transaction'] = (work) =>
    portal.deps.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM app_user WHERE id = ${userId} FOR UPDATE`);
      answer = startCall();
      await vi.waitUntil(() => isSomebodyWaitingForALock(portal), 60_000);
      return work(tx);
    });
  await act({ ...portal.deps, db: { ...portal.deps.db, transaction } });
  if (!answer) throw new Error('nobody called meanwhile');
  return answer;
}

type Overtaken<Answer> = {
  userId: string;
  startCall: () => Promise<Answer>;
  act: (deps: Deps) => Promise<unknown>;
};
