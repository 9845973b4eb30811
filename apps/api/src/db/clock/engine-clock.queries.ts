import type { Queryable } from '../client.ts';
import { query } from '../query.ts';

/** In milliseconds, like `Date.now()`. */
export async function readEngineClock(db: Queryable): Promise<number> {
  const [row] = await query<{ now: number }>(db)`
    SELECT extract(epoch FROM engine_now())::float8 * 1000 AS now`;
  return row?.now ?? Date.now();
}

/** Only the database's owner may do this. Returns the new time. */
export async function advanceEngineClock(db: Queryable, { seconds }: { seconds: number }): Promise<string> {
  await query(db)`
    INSERT INTO engine_clock (ahead) VALUES (make_interval(secs => ${seconds}))
    ON CONFLICT (is_only) DO UPDATE SET ahead = engine_clock.ahead + excluded.ahead`;
  return new Date(await readEngineClock(db)).toISOString();
}
