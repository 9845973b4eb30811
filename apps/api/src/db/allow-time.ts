import type pg from 'pg';
import { clientOf, type Queryable } from './client.ts';
import { query } from './query.ts';
import { setTimeAllowed } from './time-allowed.ts';

/** Sets how long each statement of a transaction may take, on the server and in this process. */
export async function allowTime(tx: Queryable, { milliseconds }: { milliseconds: number }): Promise<void> {
  await query(tx)`SELECT set_config('statement_timeout', ${String(milliseconds)}, true)`;
  setTimeAllowed((clientOf(tx) as pg.Client).connection, milliseconds);
}
