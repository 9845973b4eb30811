import { once } from 'node:events';
import type pg from 'pg';
import { type Database, openDatabase, sqlState } from '../../../../../apps/api/src/db/client.ts';
import { endStep, outside, stopIfKilled } from '../people/actor.ts';
import type { DatabaseTrouble } from './trouble.ts';

type Query = (...values: unknown[]) => Promise<unknown>;

/** A database as an instance sees it: a step ends before every statement, and some statements fail. */
export function observeDatabase(
  options: { url: string; name: string },
  trouble: () => DatabaseTrouble,
): Database {
  const database = openDatabase({ url: options.url, poolSize: 8, applicationName: options.name });
  const { pool } = database;
  const query = pool.query.bind(pool) as Query;
  const connect = pool.connect.bind(pool);
  pool.query = (async (...values: unknown[]) => {
    const text = describe(values[0]);
    await endStep(text);
    const refusal = DECIDES.test(text) ? trouble().refuses() : null;
    if (refusal) throw refused(refusal);
    const answer = await outside(() => query(...values));
    if (DECIDES.test(text) && trouble().losesCommit()) throw new Error('Connection terminated unexpectedly');
    return answer;
  }) as typeof pool.query;
  pool.connect = ((callback?: Parameters<typeof connect>[0]) => {
    // The pool's own `query` takes a connection with a callback.
    if (callback) return connect(callback);
    return stopIfKilled()
      .then(() => outside(() => connect()))
      .then((client) => observeClient(client, trouble));
  }) as typeof pool.connect;
  return database;
}

/** A statement that is a decision's whole commit has the troubles of a transaction. */
const DECIDES = /^WITH payment AS MATERIALIZED/;

const refused = (state: string) => Object.assign(new Error(`refused with ${state}`), { code: state });

/** The same for one transaction's connection. */
function observeClient(client: pg.PoolClient, trouble: () => DatabaseTrouble): pg.PoolClient {
  const query = client.query.bind(client) as Query;
  const observed: Query = async (...values) => {
    const text = describe(values[0]);
    await endStep(text);
    if (text === 'commit' && trouble().losesCommit()) {
      await outside(() => query(...values));
      throw await breakConnection(client);
    }
    const refusal = text === 'rollback' ? null : trouble().refuses();
    if (refusal) throw refused(refusal);
    return outside(() => query(...values)).catch((error: unknown) => {
      if (sqlState(error) === '40P01') trouble().noteDeadlock();
      throw error;
    });
  };
  // The pool starts its own timers on release; they are no actor's sleep.
  const release = (error?: Error | boolean) => outside(() => client.release(error));
  // Every statement is its own step, even those that the portal would pipeline.
  return Object.assign(Object.create(client), { query: observed, release, pipeline: false });
}

function describe(statement: unknown): string {
  const text = typeof statement === 'string' ? statement : (statement as { text: string }).text;
  return text.replace(/\s+/g, ' ').trim().slice(0, 80);
}

async function breakConnection(client: pg.PoolClient): Promise<Error> {
  const { connection } = client as unknown as pg.Client;
  const ended = once(client, 'end');
  connection.stream.destroy();
  await ended;
  return new Error('Connection terminated unexpectedly');
}
