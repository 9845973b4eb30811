import type { Queryable } from '../client.ts';
import { onlyRow, query } from '../query.ts';

/** The engine's clock and that of the database's host, in milliseconds like `Date.now()`. The demo's differ. */
export async function readClocks(db: Queryable): Promise<{ engine: number; host: number }> {
  return onlyRow(
    await query<{ engine: number; host: number }>(db)`
    SELECT extract(epoch FROM engine_now())::float8 * 1000 AS engine,
           extract(epoch FROM clock_timestamp())::float8 * 1000 AS host`,
  );
}

export async function readEngineTime(db: Queryable): Promise<Date> {
  return new Date((await readClocks(db)).engine);
}

/** Only the database's owner may do this. Returns the new time. */
export async function advanceEngineClock(db: Queryable, { seconds }: { seconds: number }): Promise<string> {
  await query(db)`
    INSERT INTO engine_clock (ahead) VALUES (make_interval(secs => ${seconds}))
    ON CONFLICT (is_only) DO UPDATE SET ahead = engine_clock.ahead + excluded.ahead`;
  return (await readEngineTime(db)).toISOString();
}
