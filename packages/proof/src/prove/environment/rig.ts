import { buildApp } from '../../../../../apps/api/src/app.ts';
import type { CrashPoint } from '../../../../../apps/api/src/crash-points.ts';
import { openDatabase } from '../../../../../apps/api/src/db/client.ts';
import type { Env } from '../../../../../apps/api/src/env.ts';
import { openGateways } from '../../../../../apps/api/src/gateway/open-gateways.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { type TestApp, testEnv } from '../../../../../apps/api/test/build-test-app.ts';
import { observeSeams } from '../../../../../apps/api/test/crashes/crash-seams.ts';
import { type Cut, makeCuttingProxy } from '../../../../../apps/api/test/database/cutting-proxy.ts';
import { gatewaySettings } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { startEmulatorProcess } from '../emulator-process.ts';
import { makePeople, type People } from '../races/people.ts';
import type { PostgresOfOurOwn } from './own-postgres.ts';

/** A portal that is attacked, and a healthy one on the same database. */
export type Surroundings = People & {
  env: Env;
  /** The portal under attack. */
  attacked: TestApp;
  /** Called when a payment of the attacked portal passes a point. */
  at: (point: CrashPoint) => void;
  closePortals(): Promise<void>;
};

export type EnvironmentRig = Surroundings & {
  /** Undoes what the run has set up. */
  afterRun: (() => Promise<unknown>)[];
  /** Stops all faults. */
  endRun(): Promise<void>;
  /** Once armed, cuts the attacked portal's connection at its next COMMIT. */
  cutCommit(cut: Cut): { arm(): void; isDone(): boolean };
  /** Whose books are judged after this run. */
  judged: Surroundings;
  postgres: PostgresOfOurOwn | null;
  close(): Promise<void>;
};

const CUSTOMERS = 2;

export async function openSurroundings(
  emulator: People['emulator'],
  {
    databaseUrl,
    attackedUrl = databaseUrl,
    publicUrl,
  }: { databaseUrl: string; attackedUrl?: string; publicUrl?: string },
): Promise<Surroundings> {
  const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
  const env = testEnv({
    DATABASE_URL: databaseUrl,
    ...settings,
    ...(publicUrl && { PUBLIC_URL: publicUrl }),
  });
  const deps = await openDeps(env);
  const opened = {
    db: openDatabase({ url: attackedUrl, poolSize: 4 }),
    gateways: openGateways({ baseUrl: env.USAEPAY_URL }),
  };
  const seams = observeSeams(opened, (point) => surroundings.at(point));
  const attackedDeps = await openDeps(env, seams);
  const healthy = { deps, app: await buildApp(deps), now: new Date() };
  const attacked = { deps: attackedDeps, app: await buildApp(attackedDeps), now: new Date() };
  const surroundings: Surroundings = {
    ...(await makePeople([healthy], { emulator, count: CUSTOMERS })),
    env,
    attacked,
    at: () => {},
    async closePortals() {
      for (const portal of [attacked, healthy]) {
        await portal.app.close();
        await portal.deps.db.close();
      }
    },
  };
  return surroundings;
}

export async function openEnvironmentRig(databaseUrl: string): Promise<EnvironmentRig> {
  const emulator = await startEmulatorProcess();
  const proxy = makeCuttingProxy();
  await proxy.listen();
  const attackedUrl = proxy.through(databaseUrl);
  const surroundings = await openSurroundings(emulator, { databaseUrl, attackedUrl });
  const rig: EnvironmentRig = Object.assign(surroundings, {
    afterRun: [],
    judged: surroundings,
    postgres: null,
    async endRun() {
      rig.judged.at = () => {};
      for (const undo of rig.afterRun.splice(0).reverse()) await undo();
    },
    cutCommit(cut) {
      let isArmed = false;
      return {
        arm() {
          isArmed = true;
          proxy.arm(cut);
        },
        isDone: () => isArmed,
      };
    },
    async close() {
      await rig.postgres?.close();
      await surroundings.closePortals();
      proxy.end();
      await emulator.close();
    },
  } satisfies Omit<EnvironmentRig, keyof Surroundings>);
  return rig;
}
