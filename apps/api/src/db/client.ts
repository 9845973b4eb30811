import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { ConnectingClient } from './lost-connection.ts';
import { bindWakeUps, createWakeUps, holdWakeUps, type WakeUps } from './wake-ups.ts';
import { requirePrimary, watchConnection } from './watch-connection.ts';
import { createWriteGate, type WriteGate } from './write-gate.ts';

// Bigints hold row ids, cents and offices' numbers, all within JavaScript's exact integers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Keep calendar dates as text; a Date would add a time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** Runs queries: the pool, or the caller's open transaction. */
export type Queryable = NodePgDatabase;

export type Database = {
  query: Queryable;
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Like `transaction`, for the steps of a payment: see `BRIEF`. */
  briefTransaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The underlying pool, which knows how much of it is in use. */
  pool: pg.Pool;
  /** A separate pool on the same database, so that other work can't use up its connections; closes with this one. */
  beside(options: { poolSize: number; applicationName: string }): Database;
  /** This pool and those beside it, by application name. */
  pools(): Map<string, pg.Pool>;
  /** Wakes this instance's background work. */
  wakeUps: WakeUps;
  close(): Promise<void>;
};

type Client = Pick<pg.ClientBase, 'query'> & { pipeline?: boolean };

/** The driver's own client or pool. Outside this folder, `query` runs every statement. */
export function clientOf(db: Queryable): Client {
  return (db as Queryable & { $client: Client }).$client;
}

/** Transactions whose COMMIT may be sent right behind their last statements. */
const commits = new WeakMap<Queryable, { behind: Promise<unknown> | null; send(): Promise<unknown> }>();

/**
 * Sends a brief transaction's COMMIT right behind the statements just sent; if one of them fails, Postgres rolls back.
 * In any other transaction COMMIT follows once `work` has ended, as usual.
 */
export async function commitBehind(tx: Queryable): Promise<void> {
  const commit = commits.get(tx);
  if (!commit) return;
  commit.behind = commit.send();
  await commit.behind;
}

const openTransactions = new AsyncLocalStorage<true>();

/** Throws inside a transaction: never wait for the network while holding locks. */
export function assertNoOpenTransaction(): void {
  if (openTransactions.getStore()) throw new Error('a call to the outside inside an open transaction');
}

/** Longer than the server's statement timeout; outside a transaction a statement includes its commit. */
export const ANSWER_MILLISECONDS = 6_000;
export const CONNECT_MILLISECONDS = 5_000;

const RETRIED = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 4;

/** Opens a pool with the payment engine's timeouts: short enough that a stuck lock can't hold up a payer. */
export function openDatabase(options: {
  url: string;
  poolSize?: number;
  applicationName?: string;
  /** Shared by all pools of one instance. */
  wakeUps?: WakeUps;
  writeGate?: WriteGate;
}): Database {
  const writeGate = options.writeGate ?? createWriteGate();
  const name = options.applicationName ?? 'brightpane';
  const pool = new pg.Pool({
    connectionString: options.url,
    Client: ConnectingClient,
    max: options.poolSize ?? 10,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    query_timeout: ANSWER_MILLISECONDS,
    keepAlive: true,
    onConnect(client) {
      watchConnection(client, writeGate);
      return requirePrimary(client);
    },
    // Needed by `inOneTrip`; everything else waits for each answer.
    pipeline: true,
    options:
      '-c lock_timeout=3s -c statement_timeout=5s -c idle_in_transaction_session_timeout=10s -c timezone=UTC',
  });
  // The pool replaces a broken connection, and its next statement fails. Without these listeners the error would end
  // the process: the pool reports idle connections, the client one that breaks between two statements.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const query = drizzle(pool);
  const wakeUps = options.wakeUps ?? createWakeUps();
  bindWakeUps(query, wakeUps);
  const transaction: Database['transaction'] = (work) =>
    withConnection(pool, (client) => transact(client, { work, wakeUps }));
  const briefTransaction: Database['briefTransaction'] = (work) =>
    withConnection(pool, (client) => transact(client, { work, wakeUps, isBrief: true }));
  const besides: Database[] = [];
  const beside: Database['beside'] = (more) => {
    const opened = openDatabase({ ...options, ...more, wakeUps, writeGate });
    besides.push(opened);
    return opened;
  };
  const pools = () => new Map([[name, pool], ...besides.flatMap((opened) => [...opened.pools()])]);
  const close = async () => {
    if (pool.ending) return;
    await Promise.all([pool.end(), ...besides.map((opened) => opened.close())]);
  };
  return { query, transaction, briefTransaction, pool, beside, pools, wakeUps, close };
}

async function withConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

const BEGIN = 'begin';
/**
 * For statements that look up by id: one generic plan serves every payment, where Postgres would replan those with
 * arrays each time. What is sent together with it only reads or locks, or writes where `isInBriefTransaction`.
 */
const BRIEF = 'begin; set local plan_cache_mode = force_generic_plan';

/** False for a statement whose BEGIN failed, as then the setting wasn't made either: it would stand for itself. */
export const isInBriefTransaction = sql`current_setting('plan_cache_mode') = 'force_generic_plan'`;

type Transacting<T> = { work: (tx: Queryable) => Promise<T>; wakeUps: WakeUps; isBrief?: boolean };

/** Runs a transaction and retries it after a deadlock or serialization failure. */
export function transact<T>(client: pg.ClientBase, transacting: Transacting<T>): Promise<T> {
  return retryConflicts(() => transactOnce(client, transacting));
}

/** Runs a commit again that Postgres took back because of another one: a transaction, or a statement of its own. */
export async function retryConflicts<T>(commit: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await commit();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !RETRIED.has(sqlState(error) ?? '')) throw error;
    }
  }
}

async function transactOnce<T>(
  client: pg.ClientBase & { pipeline?: boolean },
  { work, wakeUps, isBrief = false }: Transacting<T>,
): Promise<T> {
  const tx: Queryable = drizzle(client as pg.PoolClient);
  const held = holdWakeUps(tx, wakeUps);
  const begun = client.query(isBrief ? BRIEF : BEGIN);
  if (isBrief && client.pipeline) {
    // After a failed BEGIN, statements already sent behind it would commit on their own, so destroy the connection.
    begun.catch(() => void (client as pg.Client).connection.stream.destroy());
  } else await begun;
  const commit = { behind: null as Promise<unknown> | null, send: () => client.query('commit') };
  if (isBrief && client.pipeline) commits.set(tx, commit);
  let result: T;
  try {
    result = await openTransactions.run(true, () => work(tx));
    if (!commit.behind) await commit.send();
  } catch (error) {
    // On a lost connection, the server rolls back by itself.
    await client.query('rollback').catch(() => {});
    throw error;
  }
  held.release();
  return result;
}

/** The SQLSTATE of a failed statement, even if Drizzle wrapped the error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return sqlState(error.cause);
}

/** The constraint that a statement or COMMIT violated. */
export function brokenConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('constraint' in error && typeof error.constraint === 'string') return error.constraint;
  return brokenConstraint(error.cause);
}
