import type pg from 'pg';
import { LostConnection } from './lost-connection.ts';
import { KeptStatement } from './statements/kept-statement.ts';
import { endTimeAllowed, timeAllowed } from './time-allowed.ts';
import type { WriteGate } from './write-gate.ts';

/** How long a COMMIT may take. Including the check of what became of it, a payer still hears within ten seconds. */
export const COMMIT_MILLISECONDS = 3_000;
export const CHECK_MILLISECONDS = 2_000;
/** Run on each new connection. */
export const PRIMARY_CHECK = 'SELECT pg_is_in_recovery() AS "isStandby"';

/** SQLSTATEs of a server that is a standby, or has become one. */
export const STANDBY_STATES = new Set(['25006', '55000']);

const COMMIT = /^\s*commit\b/i;

type Query = (...given: unknown[]) => unknown;
type Callback = (error: unknown, result?: pg.QueryResult) => void;
type Given = { text: string; values: unknown[] };

/**
 * Treats a connection as lost once it can't promise what a primary can: a COMMIT not answered in time, one whose wait
 * for the standby was canceled, or a server that is a standby. Destroys its socket, and what was in progress is
 * unknown. Never cancels anything: a canceled wait is a commit that only one server has.
 */
export function watchConnection(client: pg.ClientBase, gate: WriteGate): void {
  const { connection } = client as pg.Client;
  const query = client.query.bind(client) as unknown as Query;
  let loss: LostConnection | undefined;
  const lose = (why: string): LostConnection => {
    loss ??= new LostConnection(why);
    connection.stream.destroy();
    return loss;
  };
  // Identified by the routine in Postgres' source, as the message is in the server's language.
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') lose('a commit has not waited for the standby');
  });

  let atGate: Promise<void> | undefined;
  let unanswered = 0;
  /** An unanswered COMMIT. Its timer starts once no other statement is unanswered: those before it may take longer. */
  let commit: { timer?: NodeJS.Timeout } | undefined;
  const startCommitTimer = () => {
    if (!commit || unanswered > 1) return;
    commit.timer ??= setTimeout(() => {
      gate.shut();
      lose('the database has not answered in time');
    }, COMMIT_MILLISECONDS);
  };
  /**
   * What `allowTime` set for this transaction, and undefined where the pool's limit applies. The server has that time;
   * we wait a little longer, so that its answer comes first.
   */
  const limitFor = (text: string): number | undefined => {
    // The connection is reused, and a COMMIT may wait for statements before it: it is the last to have the limit.
    if (/^\s*(begin|rollback)\b/i.test(text)) endTimeAllowed(connection);
    const allowed = timeAllowed(connection);
    if (COMMIT.test(text)) endTimeAllowed(connection);
    return allowed && allowed + COMMIT_MILLISECONDS;
  };

  // With callbacks rather than promises: every statement passes here.
  const send = (statement: string | pg.QueryConfig, values: unknown[], done: Callback): void => {
    const text = typeof statement === 'string' ? statement : statement.text;
    if (commit) {
      done(new Error(`a statement behind a COMMIT, and outside of its transaction: ${text}`));
      return;
    }
    const isCommit = COMMIT.test(text);
    if (isCommit) commit = {};
    unanswered += 1;
    startCommitTimer();
    passGate(statement, { text, values }, (error, answer) => {
      unanswered -= 1;
      if (isCommit) {
        clearTimeout(commit?.timer);
        commit = undefined;
      } else startCommitTimer();
      done(error, answer);
    });
  };

  const passGate = (statement: string | pg.QueryConfig, given: Given, done: Callback): void => {
    if (!atGate && !gate.isOpen() && needsGate(given.text, client as pg.Client)) {
      atGate = gate
        .pass(async (question) => (await (query({ text: question }) as Promise<pg.QueryResult>)).rows)
        .finally(() => {
          atGate = undefined;
        });
    }
    // Statements sent together with a BEGIN must not overtake it.
    if (atGate) void atGate.then(() => sendNow(statement, given, done), done);
    else sendNow(statement, given, done);
  };

  const sendNow = (statement: string | pg.QueryConfig, { text, values }: Given, done: Callback): void => {
    // Even a success is an error after a loss: Postgres confirms a COMMIT whose wait was canceled.
    const answered: Callback = (error, answer) => done(error ? lossOf(error) : loss, answer);
    sendTogether(connection.stream);
    const limit = limitFor(text);
    try {
      if (typeof statement !== 'string' && statement.name !== undefined) {
        query(new KeptStatement(statement, { milliseconds: limit, done: answered }));
      } else query(bound(statement, limit), ...values, answered);
    } catch (error) {
      answered(error);
    }
  };

  const lossOf = (error: unknown): unknown => {
    if (loss) return loss;
    if (STANDBY_STATES.has((error as { code?: string }).code ?? '')) return lose('the server is a standby');
    if (!isTimeOut(error)) return error;
    gate.shut();
    return lose('the database has not answered in time');
  };

  const watched = (statement: Statement, ...given: unknown[]): unknown => {
    // A stream of rows has no end to wait for.
    if (typeof statement !== 'string' && 'submit' in statement) return query(statement, ...given);
    const last = given.at(-1);
    if (typeof last === 'function') return send(statement, given.slice(0, -1), last as Callback);
    return new Promise((resolve, reject) => {
      send(statement, given, (error, answer) => (error ? reject(error) : resolve(answer)));
    }).catch((error: unknown) => {
      // Like the driver does it: otherwise the stack would lead to a socket's event rather than to the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    });
  };
  client.query = watched as typeof client.query;
}

const corked = new WeakSet<object>();

/**
 * Sends all statements of one event loop turn in one write: each write wakes the server, which
 * costs more than the data.
 */
function sendTogether(stream: pg.Connection['stream']): void {
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
}

/** Throws if the server is a standby: whatever routes us may lag a second behind. */
export async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>(
    bound({ text: PRIMARY_CHECK }, CHECK_MILLISECONDS),
  );
  if (rows[0]?.isStandby) throw new LostConnection('the server is a standby');
}

type Statement = string | pg.QueryConfig | pg.Submittable;

/** Overrides the pool's query timeout, if a limit is given. */
function bound(statement: string | pg.QueryConfig, milliseconds: number | undefined): pg.QueryConfig {
  const config = typeof statement === 'string' ? { text: statement } : statement;
  return milliseconds === undefined ? config : Object.assign({ ...config }, { query_timeout: milliseconds });
}

/** Not inside a transaction ('T'): its BEGIN passed the gate. Nor limit counters: unlogged, they await no standby. */
const needsGate = (text: string, client: pg.Client) =>
  client.getTransactionStatus() !== 'T' &&
  /^\s*begin\b|\b(insert|update|delete)\b/i.test(text) &&
  !/\blimit_counter\b/.test(text);

const isTimeOut = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';
