import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { type Database, type Queryable, transact } from './client.ts';
import type { WakeUps } from './wake-ups.ts';
import { requirePrimary, watchConnection } from './watch-connection.ts';
import { createWriteGate } from './write-gate.ts';

/** One connection beside the pool, for work that may take minutes or that keeps temporary tables. */
export type Session = {
  client: pg.Client;
  query: Queryable;
  transaction: Database['transaction'];
  close(): Promise<void>;
};

/** Opens one. It waits for locks and statements longer than a payer would. */
export async function openSession(options: {
  url: string;
  applicationName: string;
  wakeUps: WakeUps;
}): Promise<Session> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    options:
      '-c lock_timeout=60s -c statement_timeout=10min -c idle_in_transaction_session_timeout=60s -c work_mem=32MB -c timezone=UTC',
  });
  // A connection that breaks fails the statement that is under way; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  watchConnection(client, createWriteGate());
  await requirePrimary(client).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  const query: Queryable = drizzle(client);
  const { wakeUps } = options;
  const transaction: Session['transaction'] = (work) => transact(client, { work, wakeUps });
  return { client, query, transaction, close: () => client.end() };
}
