import { buildApp } from '../../../../../apps/api/src/app.ts';
import { migrate } from '../../../../../apps/api/src/db/migrate.ts';
import type { Env } from '../../../../../apps/api/src/env.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { testEnv } from '../../../../../apps/api/test/build-test-app.ts';
import { databaseUrl } from '../../../../../apps/api/test/database/database-url.ts';
import { execute } from '../../../../../apps/api/test/database/make-database.ts';
import { gatewaySettings } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { makeStaff } from '../../../../../apps/api/test/office/office-people.ts';
import { startEmulatorProcess } from '../emulator-process.ts';
import { type PortalProcess, startPortalProcess } from '../instances/portal-process.ts';
import { makePeople, type People } from '../races/people.ts';
import { assertClosed } from './assert-closed.ts';
import { type Cluster, startCluster } from './cluster.ts';

/** Portal processes on a cluster; the instance in this process prepares and judges. */
export type FailoverRig = People & {
  env: Env;
  cluster: Cluster;
  processes: PortalProcess[];
  /** The database's URL on the node itself, past HAProxy. */
  urlOn(nodeUrl: string): string;
  /** Of the last run. */
  figures: Record<string, number>;
  close(): Promise<void>;
};

const PROCESSES = 2;
/** The last one only reads: each payment starts a session, and old sessions end. */
const CUSTOMERS = 5;
const DATABASE = 'brightpane';

export async function openFailoverRig(): Promise<FailoverRig> {
  const [emulator, cluster] = await Promise.all([startEmulatorProcess(), startCluster()]);
  await assertClosed(cluster);
  await execute(cluster.url, `CREATE DATABASE ${DATABASE}`);
  const url = databaseUrl(cluster.url, DATABASE);
  await migrate(url);
  const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
  const env = testEnv({ DATABASE_URL: url, ...settings });
  const deps = await openDeps(env);
  const healthy = { deps, app: await buildApp(deps), now: new Date() };
  await makeStaff(healthy);
  const starting = Array.from({ length: PROCESSES }, () => startPortalProcess(env));
  const rig: FailoverRig = {
    ...(await makePeople([healthy], { emulator, count: CUSTOMERS })),
    env,
    cluster,
    processes: await Promise.all(starting),
    urlOn: (nodeUrl) => databaseUrl(nodeUrl, DATABASE),
    figures: {},
    async close() {
      await Promise.all(rig.processes.map((each) => each.kill()));
      await healthy.app.close();
      await deps.db.close();
      await cluster.close();
      await emulator.close();
    },
  };
  return rig;
}
