import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { migrate } from '../../../../../../apps/api/src/db/migrate.ts';
import { ask, execute } from '../../../../../../apps/api/test/database/make-database.ts';
import { type EmbeddedPostgres, startPostgres } from '../../../../../../tools/machine/embedded-postgres.ts';
import { isRunning } from '../../../../../../tools/machine/running-process.ts';
import { makeThrowAwayFolder } from '../../../../../../tools/machine/throw-away-folder.ts';
import { type SwitchingProxy, startSwitchingProxy } from './switching-proxy.ts';

/** A primary with synchronous replication, its standby, and one address that leads to the current primary. */
export type Pair = {
  url: string;
  primary: EmbeddedPostgres;
  standby: EmbeddedPostgres;
  line: SwitchingProxy;
  /** Freezes the standby like a hung machine; from then on the primary's commits wait for it. */
  stopStandby(): Promise<void>;
  wakeStandby(): void;
  /** Kills the primary, promotes the standby and moves the address to it. */
  failOver(): Promise<void>;
  close(): Promise<void>;
};

const SETTINGS = { fsync: 'off', max_connections: 100, synchronous_commit: 'on' };

export async function startPair(): Promise<Pair> {
  const folder = await makeThrowAwayFolder();
  const dataDir = join(folder, 'postgres');
  const standbyDir = join(folder, 'standby');
  const first = await startPostgres({ dataDir, settings: SETTINGS });
  await migrate(first.url);
  await first.stop();
  copyCluster(dataDir, standbyDir);
  await writeFile(join(standbyDir, 'cluster', 'standby.signal'), '');
  const primary = await startPostgres({ dataDir, settings: SETTINGS });
  const { port, password } = new URL(primary.url);
  const standby = await startPostgres({
    dataDir: standbyDir,
    settings: {
      ...SETTINGS,
      primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password}`,
    },
  });
  await execute(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await execute(primary.url, 'SELECT pg_reload_conf()');
  const line = await startSwitchingProxy(portOf(primary));
  const url = new URL(primary.url);
  url.port = String(line.port);
  let receiver: number | null = null;
  const wakeStandby = () => {
    if (receiver !== null && isRunning(receiver)) process.kill(receiver, 'SIGCONT');
    receiver = null;
  };
  return {
    url: url.href,
    primary,
    standby,
    line,
    async stopStandby() {
      receiver = await findReceiver(standby);
      process.kill(receiver, 'SIGSTOP');
    },
    wakeStandby,
    async failOver() {
      primary.process.kill('SIGKILL');
      await execute(standby.url, 'SELECT pg_promote()');
      line.leadTo(portOf(standby));
    },
    async close() {
      line.close();
      wakeStandby();
      for (const server of [primary, standby]) await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Keeps the owner: Postgres doesn't start on files that belong to another user. */
function copyCluster(from: string, to: string): void {
  execFileSync('cp', ['-Rp', from, to]);
}

const portOf = ({ url }: EmbeddedPostgres) => Number(new URL(url).port);

/** The pid of the standby's WAL receiver; waits until the standby has connected. */
async function findReceiver({ url }: EmbeddedPostgres): Promise<number> {
  for (;;) {
    const [row] = await ask<{ pid: number }>(url, 'SELECT pid FROM pg_stat_wal_receiver');
    if (row) return row.pid;
    await wait(20);
  }
}
