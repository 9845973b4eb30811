import { buildApp } from '../../../../../apps/api/src/app.ts';
import type { Env } from '../../../../../apps/api/src/env.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { testEnv } from '../../../../../apps/api/test/build-test-app.ts';
import { gatewaySettings } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { OFFICE_SETTINGS } from '../../../../../apps/api/test/office/office-people.ts';
import { startEmulatorProcess } from '../emulator-process.ts';
import { makePeople, type People } from '../races/people.ts';
import { type PortalProcess, startPortalProcess } from './portal-process.ts';
import { RoundRobinProxy } from './round-robin-proxy.ts';

/**
 * Portal processes on one database behind a proxy. The instance in this process prepares and judges, and is never
 * attacked.
 */
export type InstancesRig = People & {
  env: Env;
  /** Where the proxy listens. */
  url: string;
  processes: PortalProcess[];
  /** Tells the proxy about the current processes. */
  deal(): void;
  close(): Promise<void>;
};

const PROCESSES = 3;
const CUSTOMERS = 10;

export async function openInstancesRig(databaseUrl: string): Promise<InstancesRig> {
  const emulator = await startEmulatorProcess();
  const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
  const proxy = new RoundRobinProxy();
  const url = await proxy.listen();
  const env = testEnv({
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: url,
    // Without it, a connection that a process has not taken yet breaks when it stops listening.
    DRAIN_SECONDS: '1',
    ...OFFICE_SETTINGS,
    ...settings,
  });
  const deps = await openDeps(env);
  const healthy = { deps, app: await buildApp(deps), now: new Date() };
  const starting = Array.from({ length: PROCESSES }, () => startPortalProcess(env));
  const rig: InstancesRig = {
    ...(await makePeople([healthy], { emulator, count: CUSTOMERS })),
    env,
    url,
    processes: await Promise.all(starting),
    deal: () => proxy.dealTo(rig.processes.map(({ port }) => port)),
    async close() {
      proxy.close();
      await Promise.all(rig.processes.map((each) => each.kill()));
      await healthy.app.close();
      await deps.db.close();
      await emulator.close();
    },
  };
  rig.deal();
  return rig;
}
