import { startEmulator } from '@brightpane/gateway-emulator/start-emulator';
import { buildApp } from '../../../../../apps/api/src/app.ts';
import { openDeps } from '../../../../../apps/api/src/open-deps.ts';
import { type TestApp, testEnv } from '../../../../../apps/api/test/build-test-app.ts';
import { testEmulator } from '../../../../../apps/api/test/emulator.ts';
import { gatewaySettings } from '../../../../../apps/api/test/factories/payments/payments.ts';
import { type HeardErrors, hearErrors } from '../hear-errors.ts';
import { makePeople, type People } from './people.ts';

/** Instances that share only a database, and people who race on them. */
export type RaceRig = People & {
  errors: HeardErrors;
  /** Moves the clock by which access tokens end further ahead. */
  advanceClock(seconds: number): void;
  close(): Promise<void>;
};

const CUSTOMERS = 8;

export async function openRaceRig(databaseUrl: string): Promise<RaceRig> {
  const running = await startEmulator({ delayScale: 0 });
  const emulator = testEmulator(running.url);
  const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
  let aheadMilliseconds = 0;
  const now = () => new Date(Date.now() + aheadMilliseconds);
  const errors = hearErrors();
  const open = async (): Promise<TestApp> => {
    const env = testEnv({ DATABASE_URL: databaseUrl, ...settings });
    const deps = await openDeps(env, { clock: now, log: errors.log });
    return { deps, app: await buildApp(deps), now: now() };
  };
  const instances: People['instances'] = [await open(), await open(), await open()];
  return {
    ...(await makePeople(instances, { emulator, count: CUSTOMERS })),
    errors,
    advanceClock: (seconds) => {
      aheadMilliseconds += seconds * 1000;
    },
    async close() {
      for (const { app, deps } of instances) {
        await app.close();
        await deps.db.close();
      }
      await running.close();
    },
  };
}
