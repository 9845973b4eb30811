import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildApp } from '../../../../../apps/api/src/app.ts';
import { migrate } from '../../../../../apps/api/src/db/migrate.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { type TestApp, testEnv } from '../../../../../apps/api/test/build-test-app.ts';
import { gatewaySettings } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { type EmbeddedPostgres, startPostgres } from '../../../../../tools/machine/embedded-postgres.ts';
import { makeThrowAwayFolder } from '../../../../../tools/machine/throw-away-folder.ts';
import { startEmulatorProcess } from '../emulator-process.ts';

/** Enables streaming to a standby, with as few files as possible. */
const SETTINGS = { wal_level: 'replica', max_wal_senders: 4, wal_keep_size: '64MB', max_connections: 60 };

/** Clusters to copy, restore and promote, and portals on them. */
export type RestoreRig = {
  emulator: Awaited<ReturnType<typeof startEmulatorProcess>>;
  /** A stopped cluster for this run, copied from the migrated one or from another. */
  copyCluster(from?: Cluster): Cluster;
  /** Moves the provider's clock, until the run ends. */
  passAtProvider(seconds: number): Promise<void>;
  openPortal(url: string, given?: { publicUrl?: string; merchant?: string }): Promise<TestApp>;
  /** What the last run found wrong. */
  wrong: string[];
  endRun(): Promise<void>;
  close(): Promise<void>;
};

/** A cluster's folder. Wherever it is copied, its server keeps the same port. */
export type Cluster = {
  dataDir: string;
  start(settings?: Record<string, string>): Promise<string>;
  stop(): Promise<void>;
};

export async function openRestoreRig(): Promise<RestoreRig> {
  const emulator = await startEmulatorProcess();
  const folder = await makeThrowAwayFolder();
  const begun = new Set<Cluster>();
  const portals = new Set<TestApp>();
  let count = 0;
  let passedSeconds = 0;

  const clusterIn = (dataDir: string): Cluster => {
    let server: EmbeddedPostgres | undefined;
    const cluster: Cluster = {
      dataDir,
      async start(settings = {}) {
        server = await startPostgres({ dataDir, settings: { ...SETTINGS, ...settings } });
        return server.url;
      },
      async stop() {
        await server?.stop();
        server = undefined;
      },
    };
    begun.add(cluster);
    return cluster;
  };
  const migrated = clusterIn(join(folder, 'migrated'));
  await migrate(await migrated.start());
  await migrated.stop();

  const rig: RestoreRig = {
    emulator,
    wrong: [],
    copyCluster(from = migrated) {
      const dataDir = join(folder, `copy-${++count}`);
      copyFolder(from.dataDir, dataDir);
      return clusterIn(dataDir);
    },
    async passAtProvider(seconds) {
      passedSeconds += seconds;
      await emulator.advanceClock(seconds);
    },
    async openPortal(url, { publicUrl, merchant = 'portal' } = {}) {
      const settings = gatewaySettings(emulator, await emulator.merchant(merchant));
      const env = testEnv({ DATABASE_URL: url, ...settings, ...(publicUrl && { PUBLIC_URL: publicUrl }) });
      const deps = await openDeps(env);
      const portal = { deps, app: await buildApp(deps), now: new Date() };
      portals.add(portal);
      return portal;
    },
    async endRun() {
      for (const portal of portals) await closePortal(portal);
      portals.clear();
      for (const cluster of begun) {
        await cluster.stop();
        if (cluster !== migrated) await rm(cluster.dataDir, { recursive: true, force: true });
      }
      begun.clear();
      await emulator.clearFaults();
      await emulator.reset();
      await emulator.advanceClock(-passedSeconds);
      passedSeconds = 0;
    },
    async close() {
      await rig.endRun();
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return rig;
}

/** Keeps owner and rights: Postgres refuses a folder that isn't its own. */
export const copyFolder = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

async function closePortal({ app, deps }: TestApp): Promise<void> {
  await app.close();
  if (!deps.db.pool.ended) await deps.db.close();
}
