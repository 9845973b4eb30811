import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { migrate } from '../../../../../apps/api/src/db/migrate.ts';
import { watchOnce } from '../../../../../apps/api/src/modules/payments/restore/watch-books.ts';
import type { TestApp } from '../../../../../apps/api/test/build-test-app.ts';
import { databaseUrl } from '../../../../../apps/api/test/database/database-url.ts';
import { withClient } from '../../../../../apps/api/test/database/make-database.ts';
import type { Round } from '../attack.ts';
import { dumpRows, restoreRows } from './copy-rows.ts';
import { type Cluster, copyFolder, type RestoreRig } from './rig.ts';

/** The running system while a backup is taken. */
export type Live = { cluster: Cluster; url: string; portal: TestApp };

/** Takes a backup, and returns a function that restores it and says which portal serves it. */
export type Way = (rig: RestoreRig, live: Live, round: Round) => Promise<() => Promise<TestApp>>;

/** Ends the live side, as when its machine is gone. */
async function endLive({ cluster, portal }: Live): Promise<void> {
  await endPortal(portal);
  await cluster.stop();
}

async function endPortal({ app, deps }: TestApp): Promise<void> {
  await app.close();
  await deps.db.close();
}

/** Copies the folder while Postgres is briefly stopped; timeline and system identifier stay. */
async function copyAtRest(rig: RestoreRig, live: Live): Promise<Cluster> {
  await live.cluster.stop();
  const copy = rig.copyCluster(live.cluster);
  await restartAt(live);
  return copy;
}

async function restartAt({ cluster, url }: Live): Promise<void> {
  await cluster.start({ port: new URL(url).port });
}

/** Does what `pg_basebackup` does, by the functions that it calls. */
async function copyAlive(rig: RestoreRig, live: Live): Promise<Cluster> {
  return withClient(live.url, async (client) => {
    await client.query(`SELECT pg_backup_start('restore', true)`);
    const copy = rig.copyCluster(live.cluster);
    const folder = join(copy.dataDir, 'cluster');
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    // Only now is it known which writes belong to the backup, so copy the log last.
    rmSync(join(folder, 'pg_wal'), { recursive: true });
    copyFolder(join(live.cluster.dataDir, 'cluster', 'pg_wal'), join(folder, 'pg_wal'));
    for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(folder, file), { force: true });
    writeOwned(join(folder, 'backup_label'), rows[0]?.labelfile ?? '');
    return copy;
  });
}

function writeOwned(file: string, content: string): void {
  writeFileSync(file, content);
  execFileSync('chown', ['--reference', join(file, '..'), file]);
}

/** Restores a dump into another database of the same server. */
export const dumpIntoNewDatabase: Way = async (rig, live) => {
  const dump = await dumpRows(live.url);
  return async () => {
    await endPortal(live.portal);
    await withClient(live.url, (client) => client.query('CREATE DATABASE restored'));
    const url = databaseUrl(live.url, 'restored');
    await migrate(url);
    await restoreRows(url, dump, { how: 'truncate' });
    return rig.openPortal(url);
  };
};

/** `pg_restore --clean` while Postgres and the portal run on: same database, same start time, other rows. */
export const dumpInPlace: Way = async (_rig, live, { run }) => {
  const dump = await dumpRows(live.url);
  return async () => {
    await restoreRows(live.url, dump, { how: run % 2 === 0 ? 'truncate' : 'delete' });
    return live.portal;
  };
};

/** The same, followed by a restart of the portal, which then remembers nothing. */
export const dumpInPlaceThenRestart: Way = async (rig, live, round) => {
  // Opposite parity, so that a sample can have both variants.
  const bringBack = await dumpInPlace(rig, live, { ...round, run: round.run + 1 });
  return async () => {
    await bringBack();
    await endPortal(live.portal);
    return rig.openPortal(live.url);
  };
};

export const baseBackup: Way = async (rig, live) => {
  const copy = await copyAlive(rig, live);
  return async () => {
    await endLive(live);
    return rig.openPortal(await copy.start());
  };
};

/** More than the provider's first page, over more time than a look reads behind our newest order. */
const REFUNDS = 110;
const REFUNDS_SECONDS = 2 * 3_600;

/** Restores a base backup after offices refunded orders of before it, which every older state knows. */
export const baseBackupThenRefunds: Way = async (rig, live, round) => {
  const known = (await rig.emulator.ledger()).find(({ trantype_code: type }) => type === 'L');
  const bringBack = await baseBackup(rig, live, round);
  const byHand = (path: string, body: object) => rig.emulator.callAs('portal', 'POST', path, body);
  return async () => {
    await byHand('/batches/current/close', {});
    for (let refund = 1; refund <= REFUNDS; refund++) {
      if (refund === REFUNDS / 2) await rig.passAtProvider(REFUNDS_SECONDS);
      const amount = (refund / 100).toFixed(2);
      const answer = await byHand('/transactions', { command: 'refund', trankey: known?.key, amount });
      if (answer.result_code !== 'A') throw new Error(`not refunded: ${JSON.stringify(answer)}`);
    }
    return bringBack();
  };
};

export const volumeSnapshot: Way = async (rig, live) => {
  const copy = await copyAtRest(rig, live);
  return async () => {
    await endLive(live);
    return rig.openPortal(await copy.start());
  };
};

/** Restores the disk and restarts Postgres at the same address, under a portal that runs all the time. */
export const snapshotUnderRunningPortal: Way = async (rig, live) => {
  const copy = await copyAtRest(rig, live);
  return async () => {
    await live.cluster.stop();
    await copy.start({ port: new URL(live.url).port });
    return live.portal;
  };
};

export const recoverySite: Way = async (rig, live) => {
  const copy = await copyAlive(rig, live);
  return async () => {
    await endLive(live);
    return rig.openPortal(await copy.start(), { publicUrl: 'https://recovery.example.com' });
  };
};

/** Promotes a standby that lacks the primary's last writes. */
export const promotion: Way = async (rig, live) => {
  const copy = await copyAlive(rig, live);
  const folder = join(copy.dataDir, 'cluster');
  const { port, password } = new URL(live.url);
  writeOwned(join(folder, 'standby.signal'), '');
  appendFileSync(
    join(folder, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=${password}'\n`,
  );
  const url = await copy.start();
  await withClient(live.url, (primary) => withClient(url, (standby) => untilCaughtUp(primary, standby)));
  await withClient(url, async (standby) => {
    await standby.query(`ALTER SYSTEM SET primary_conninfo = ''`);
    await standby.query('SELECT pg_reload_conf()');
    await until(standby, 'SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver) AS done');
  });
  return async () => {
    await endLive(live);
    await withClient(url, (standby) => standby.query('SELECT pg_promote()'));
    return rig.openPortal(url);
  };
};

async function untilCaughtUp(primary: pg.Client, standby: pg.Client): Promise<void> {
  const { rows } = await primary.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
  await until(standby, `SELECT coalesce(pg_last_wal_replay_lsn() >= '${rows[0]?.lsn}', false) AS done`);
}

async function until(client: pg.Client, question: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ done: boolean }>(question);
    if (rows[0]?.done) return;
    await wait(20);
  }
}

/** A second portal with the same address and merchant accounts, while the first one runs on. */
export const clone: Way = async (rig, live) => {
  const copy = await copyAlive(rig, live);
  return async () => rig.openPortal(await copy.start());
};

/** A copy for testing, with another address and keys of its own. */
export const testCopy: Way = async (rig, live) => {
  const copy = await copyAlive(rig, live);
  return async () =>
    rig.openPortal(await copy.start(), { publicUrl: 'https://test.example.com', merchant: 'sample' });
};

/** All but the tables that tell epochs apart: a snapshot with memory restores those too. */
const isPayments = (table: string) => !['books_epoch', 'engine_clock'].includes(table);

/** A machine restored with its memory, so that nothing in the database shows it. The portal ran elsewhere. */
export const memoryUnderRunningPortal: Way = async (_rig, live) => {
  const dump = await dumpRows(live.url);
  return async () => {
    await restoreRows(live.url, dump, { how: 'delete', only: isPayments });
    return live.portal;
  };
};

/** The portal ran on the restored machine too, and forgot as much. Its clock has been set right since. */
export const wholeMachine: Way = async (rig, live) => {
  const dump = await dumpRows(live.url);
  return async () => {
    await endPortal(live.portal);
    await restoreRows(live.url, dump, { how: 'delete', only: isPayments });
    const portal = await rig.openPortal(live.url);
    await rig.emulator.script({ fault: 'status', status: 503, command: 'list', times: 50 });
    await watchOnce(portal.deps, { jumpMilliseconds: 3_600_000 });
    await rig.emulator.clearFaults();
    return portal;
  };
};
