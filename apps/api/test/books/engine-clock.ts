import { sql } from 'drizzle-orm';
import type { Deps } from '../../src/deps.ts';

/** Moves the engine's clock ahead, in addition to earlier moves. */
export async function advanceEngineClock(deps: Pick<Deps, 'db'>, seconds: number): Promise<void> {
  await deps.db.query.execute(sql`
    INSERT INTO engine_clock (ahead) VALUES (make_interval(secs => ${seconds}))
    ON CONFLICT (is_only) DO UPDATE SET ahead = engine_clock.ahead + excluded.ahead`);
}

/** Sets the engine's clock, so that a test across days controls the hour it runs at. */
export async function setEngineClock(deps: Pick<Deps, 'db'>, to: string | Date): Promise<void> {
  const { rows } = await deps.db.query.execute<{ seconds: number }>(sql`
    SELECT extract(epoch FROM ${new Date(to).toISOString()}::timestamptz - engine_now())::float8 AS seconds`);
  await advanceEngineClock(deps, rows[0]?.seconds ?? 0);
}

/** Moves the engine's clock to the start of its next minute, so that per-minute counts have a whole minute. */
export async function beginEngineMinute(deps: Pick<Deps, 'db'>): Promise<void> {
  const { rows } = await deps.db.query.execute<{ seconds: number }>(sql`
    SELECT 60 - extract(second FROM engine_now())::float8 AS seconds`);
  await advanceEngineClock(deps, rows[0]?.seconds ?? 60);
}
