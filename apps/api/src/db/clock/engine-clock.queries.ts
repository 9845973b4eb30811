import { sql } from 'drizzle-orm';
import type { Queryable } from '../client.ts';

/** In milliseconds, like `Date.now()`. */
export async function readEngineClock(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ now: number }>(
    sql`SELECT extract(epoch FROM engine_now())::float8 * 1000 AS now`,
  );
  return rows[0]?.now ?? Date.now();
}

/** Only the database's owner may do this. Returns the new time. */
export async function advanceEngineClock(db: Queryable, { seconds }: { seconds: number }): Promise<string> {
  await db.execute(sql`
    INSERT INTO engine_clock (ahead) VALUES (make_interval(secs => ${seconds}))
    ON CONFLICT (is_only) DO UPDATE SET ahead = engine_clock.ahead + excluded.ahead`);
  return new Date(await readEngineClock(db)).toISOString();
}
