import { AsyncLocalStorage } from 'node:async_hooks';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { bindWakeUps, createWakeUps, holdWakeUps, type WakeUps } from './wake-ups.ts';
import { requirePrimary, watchConnection } from './watch-connection.ts';
import { createWriteGate, type WriteGate } from './write-gate.ts';

// Bigints are row ids, cents and the numbers of an office: all inside what a JavaScript number holds exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Calendar dates stay the text they are: a Date would drag a time zone in.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** What queries run on: the pool, or the transaction that the caller has open. */
export type Queryable = NodePgDatabase;

export type Database = {
  /** Queries outside a transaction. */
  query: Queryable;
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The same for the steps of a payment: see `BRIEF`. */
  briefTransaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The pool itself, for streaming. */
  pool: pg.Pool;
  /** Another pool on the same database: nobody here can take its connections. */
  beside(options: { poolSize: number; applicationName: string }): Database;
  /** Heard by this instance's background work. */
  wakeUps: WakeUps;
  close(): Promise<void>;
};

type Client = Pick<pg.ClientBase, 'query'> & { pipeline?: boolean };

/** The driver's own client, or pool. */
export function clientOf(db: Queryable): Client {
  return (db as Queryable & { $client: Client }).$client;
}

/** Transactions whose COMMIT may leave behind their last statements. */
const commits = new WeakMap<Queryable, { behind: Promise<unknown> | null; send(): Promise<unknown> }>();

/**
 * Sends the COMMIT of a brief transaction behind the statements that have just been sent: where one of them fails, Postgres
 * takes all back. Elsewhere it follows once `work` has ended, as always.
 */
export async function commitBehind(tx: Queryable): Promise<void> {
  const commit = commits.get(tx);
  if (!commit) return;
  commit.behind = commit.send();
  await commit.behind;
}

const openTransactions = new AsyncLocalStorage<true>();

/** Throws inside a transaction: nothing may wait for the network while locks are held. */
export function assertNoOpenTransaction(): void {
  if (openTransactions.getStore()) throw new Error('a call to the outside inside an open transaction');
}

/** Longer than the server lets a statement take; that of one outside a transaction has its commit in it. */
export const ANSWER_MILLISECONDS = 6_000;
export const CONNECT_MILLISECONDS = 5_000;

const RETRIED = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 4;

/** Opens a pool. Time-outs are those of the payment engine: short enough that a stuck lock cannot hold a payer. */
export function openDatabase(options: {
  url: string;
  poolSize?: number;
  applicationName?: string;
  /** Shared by the pools of one instance. */
  wakeUps?: WakeUps;
  writeGate?: WriteGate;
}): Database {
  const writeGate = options.writeGate ?? createWriteGate();
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    application_name: options.applicationName ?? 'brightpane',
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    query_timeout: ANSWER_MILLISECONDS,
    keepAlive: true,
    onConnect(client) {
      watchConnection(client, writeGate);
      return requirePrimary(client);
    },
    // For `inOneTrip`; everything else waits for each answer.
    pipeline: true,
    options:
      '-c lock_timeout=3s -c statement_timeout=5s -c idle_in_transaction_session_timeout=10s -c timezone=UTC',
  });
  // A connection that breaks is replaced by the pool, and the next statement on it fails. Without listeners it would end
  // the process: the pool's own hears of idle ones, the client's of one that breaks between two statements.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const query = drizzle(pool);
  const wakeUps = options.wakeUps ?? createWakeUps();
  bindWakeUps(query, wakeUps);
  const transaction: Database['transaction'] = (work) =>
    withConnection(pool, (client) => transact(client, { work, wakeUps }));
  const briefTransaction: Database['briefTransaction'] = (work) =>
    withConnection(pool, (client) => transact(client, { work, wakeUps, isBrief: true }));
  const beside: Database['beside'] = (more) => openDatabase({ ...options, ...more, wakeUps, writeGate });
  return { query, transaction, briefTransaction, pool, beside, wakeUps, close: () => pool.end() };
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
 * Of statements that go by ids: one plan serves every payment, where Postgres would plan those with arrays anew each time.
 * The first of them only read or lock, and leave together with it.
 */
const BRIEF = 'begin; set local plan_cache_mode = force_generic_plan';

type Transacting<T> = { work: (tx: Queryable) => Promise<T>; wakeUps: WakeUps; isBrief?: boolean };

/** A transaction, begun again where Postgres gave it up for the sake of another. */
export async function transact<T>(client: pg.ClientBase, transacting: Transacting<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(client, transacting);
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
    // What was sent behind it would stand for itself, so nothing more may follow.
    begun.catch(() => void (client as pg.Client).connection.stream.destroy());
  } else await begun;
  const commit = { behind: null as Promise<unknown> | null, send: () => client.query('commit') };
  if (isBrief && client.pipeline) commits.set(tx, commit);
  let result: T;
  try {
    result = await openTransactions.run(true, () => work(tx));
    if (!commit.behind) await commit.send();
  } catch (error) {
    // Of a connection that is lost, the server takes it back by itself.
    await client.query('rollback').catch(() => {});
    throw error;
  }
  held.release();
  return result;
}

/** The SQLSTATE of a failed statement, also where Drizzle has wrapped it. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return sqlState(error.cause);
}

/** The constraint that a statement, or the end of a transaction, has broken. */
export function brokenConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('constraint' in error && typeof error.constraint === 'string') return error.constraint;
  return brokenConstraint(error.cause);
}

/**
 * A statement that is planned once a connection: built for the pool at its first use, then reused. `build` ends in
 * `.prepare('its_name')`. For the hot paths, outside transactions.
 */
export function statement<Prepared>(build: (db: Queryable) => Prepared): (db: Queryable) => Prepared {
  const built = new WeakMap<Queryable, Prepared>();
  return (db) => {
    let prepared = built.get(db);
    if (!prepared) {
      prepared = build(db);
      built.set(db, prepared);
    }
    return prepared;
  };
}
