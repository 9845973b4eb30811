import pg from 'pg';
import type { FailoverRig } from '../rig.ts';
import type { DataNode } from './data-node.ts';

const SOON_MILLISECONDS = 3_000;

/** Queries a node directly; `null` if it doesn't answer. */
async function ask<Row extends pg.QueryResultRow>(
  rig: FailoverRig,
  node: DataNode,
  text: string,
): Promise<Row[] | null> {
  const client = new pg.Client({
    connectionString: rig.urlOn(node.url),
    connectionTimeoutMillis: SOON_MILLISECONDS,
    query_timeout: SOON_MILLISECONDS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } catch {
    return null;
  } finally {
    // A waiting commit would keep it open.
    client.connection.stream.destroy();
  }
}

export async function isInRecovery(rig: FailoverRig, node: DataNode): Promise<boolean | null> {
  const rows = await ask<{ answer: boolean }>(rig, node, 'SELECT pg_is_in_recovery() AS answer');
  return rows?.[0]?.answer ?? null;
}

/** Whether a node acknowledges its own commit. */
export async function commitsAlone(rig: FailoverRig, node: DataNode): Promise<'committed' | 'not'> {
  const rows = await ask(rig, node, `SELECT pg_logical_emit_message(true, 'proof', 'alone')`);
  return rows === null ? 'not' : 'committed';
}

/** Cancels every wait for a standby, as a desperate operator might; returns how many. */
export async function cancelWaits(rig: FailoverRig, node: DataNode): Promise<number> {
  const rows = await ask(
    rig,
    node,
    `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
  );
  return rows?.length ?? 0;
}

/** The standbys' WAL receivers: while they are frozen, nothing is acknowledged. */
export async function receiversOf(
  rig: FailoverRig,
  standbys: DataNode[],
): Promise<{ stop(): void; wake(): void }> {
  const pids: number[] = [];
  for (const standby of standbys) {
    const rows = await ask<{ pid: number }>(rig, standby, 'SELECT pid FROM pg_stat_wal_receiver');
    for (const { pid } of rows ?? []) pids.push(pid);
  }
  if (pids.length !== standbys.length) throw new Error('a standby takes nothing already');
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // A promotion has ended it.
      }
    }
  };
  return { stop: () => signal('SIGSTOP'), wake: () => signal('SIGCONT') };
}

export async function countCaptured({ emulator }: FailoverRig): Promise<number> {
  const captured = new Set(['L', 'S']);
  return (await emulator.ledger()).filter(({ trantype_code }) => captured.has(trantype_code)).length;
}
