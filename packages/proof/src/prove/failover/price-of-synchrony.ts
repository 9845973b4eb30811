import { sql } from 'drizzle-orm';
import type { Database } from '../../../../../apps/api/src/db/client.ts';

const COMMITS = 40;

/** Measures commits that wait for the standby against commits that don't, in turns. */
export async function measureCommits(
  db: Database,
): Promise<{ commitMilliseconds: number; commitAloneMilliseconds: number }> {
  const waiting: number[] = [];
  const alone: number[] = [];
  for (let count = 0; count < COMMITS; count++) {
    waiting.push(await timeCommit(db, 'on'));
    alone.push(await timeCommit(db, 'local'));
  }
  return { commitMilliseconds: median(waiting), commitAloneMilliseconds: median(alone) };
}

function timeCommit(db: Database, mode: 'on' | 'local'): Promise<number> {
  let begin = 0;
  return db
    .transaction(async (tx) => {
      await tx.execute(sql.raw(`SET LOCAL synchronous_commit = ${mode}`));
      await tx.execute(sql`SELECT pg_logical_emit_message(true, 'proof', 'price')`);
      begin = performance.now();
    })
    .then(() => performance.now() - begin);
}

const median = (times: number[]) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
