import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { clientOf, type Queryable } from './client.ts';
import { setTimeAllowed } from './time-allowed.ts';

/** Lets each statement of a transaction take so long, at the server and here. */
export async function allowTime(tx: Queryable, { milliseconds }: { milliseconds: number }): Promise<void> {
  await tx.execute(sql`SELECT set_config('statement_timeout', ${String(milliseconds)}, true)`);
  setTimeAllowed((clientOf(tx) as pg.Client).connection, milliseconds);
}
