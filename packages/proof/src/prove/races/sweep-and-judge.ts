import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep, sweepUntilDone } from '../../../../../apps/api/test/books/sweep.ts';
import type { TestEmulator } from '../../../../../apps/api/test/emulator.ts';
import { judge } from '../judge.ts';
import type { Heard } from './heard.ts';

const MOST_BACKLOG_MINUTES = 120;

/** Has a healthy instance sweep what is left, and returns violations. */
export async function sweepAndJudge(
  deps: Deps,
  { emulator, told }: { emulator: TestEmulator; told: readonly Heard[] },
): Promise<string[]> {
  await emulator.clearFaults();
  await emulator.finishLateWork();
  await sweep(deps);
  if (await isAnythingLeft(deps)) await sweepUntilDone(deps);
  const wrong = await judge({ deps, emulator, told });
  for (const { key, status } of told) if (status === 500) wrong.push(`${key} was answered with a bare 500`);
  return [...wrong, ...(await listLiveClaims(deps))];
}

/**
 * Sweeps minute by minute until nothing is left: many processes that die at once leave more than the provider allows
 * per minute.
 */
export async function sweepThroughBacklog(deps: Deps): Promise<void> {
  for (let minute = 0; minute < MOST_BACKLOG_MINUTES && (await isAnythingLeft(deps)); minute++) {
    await sweep(deps);
    await advanceEngineClock(deps, 60);
  }
}

async function isAnythingLeft({ db }: Deps): Promise<boolean> {
  const { rows } = await db.pool.query(
    `SELECT FROM charge WHERE next_try_at IS NOT NULL OR state IN ('authorising', 'authorised') LIMIT 1`,
  );
  return rows.length > 0;
}

async function listLiveClaims({ db }: Deps): Promise<string[]> {
  const { rows } = await db.pool.query<{ invoice_id: number }>(
    `SELECT invoice_id FROM invoice_claim WHERE state = 'live'`,
  );
  return rows.map((row) => `invoice ${row.invoice_id} is still claimed`);
}
