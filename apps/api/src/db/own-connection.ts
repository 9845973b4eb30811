import type { Writable } from 'node:stream';
import { drizzle } from 'drizzle-orm/node-postgres';
import { from as copyFrom } from 'pg-copy-streams';
import { type Database, type Queryable, transact } from './client.ts';
import { ConnectingClient } from './lost-connection.ts';
import type { WakeUps } from './wake-ups.ts';
import { requirePrimary, watchConnection } from './watch-connection.ts';
import { createWriteGate } from './write-gate.ts';

/** A connection outside the pool, for work that takes minutes or uses temporary tables. */
export type OwnConnection = {
  query: Queryable;
  transaction: Database['transaction'];
  /** Runs a `COPY … FROM STDIN`; write its rows to the result. */
  copyIn(statement: string): Writable;
  close(): Promise<void>;
};

const STATEMENT_MILLISECONDS = 600_000;
/** For a network that swallows what is sent, where no error comes by itself; Postgres gives up a statement sooner. */
const LIMITS = { answerMilliseconds: STATEMENT_MILLISECONDS + 5_000, closeMilliseconds: 5_000 };

/** Opens a connection outside the pool. Its lock and statement timeouts are longer than a payer would wait. */
export async function openOwnConnection(
  options: { url: string; applicationName: string; wakeUps: WakeUps },
  { answerMilliseconds, closeMilliseconds } = LIMITS,
): Promise<OwnConnection> {
  const client = new ConnectingClient({
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    query_timeout: answerMilliseconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    options: `-c lock_timeout=60s -c statement_timeout=${STATEMENT_MILLISECONDS} -c idle_in_transaction_session_timeout=60s -c work_mem=32MB -c timezone=UTC`,
  });
  // A broken connection fails the current statement; without a listener the error would end the process.
  client.on('error', () => {});
  // Ends a statement in progress. Waits for Postgres to hang up, but not for ever.
  const close = async () => {
    const cut = setTimeout(() => client.connection.stream.destroy(), closeMilliseconds);
    await client.end().finally(() => clearTimeout(cut));
  };
  await client.connect();
  watchConnection(client, createWriteGate());
  await requirePrimary(client).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const query: Queryable = drizzle(client);
  const { wakeUps } = options;
  const transaction: OwnConnection['transaction'] = (work) => transact(client, { work, wakeUps });
  const copyIn = (statement: string) => client.query(copyFrom(statement));
  return { query, transaction, copyIn, close };
}
