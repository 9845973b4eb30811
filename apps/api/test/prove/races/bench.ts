import { startEmulator } from '@brightpane/gateway-emulator/start-emulator';
import { buildApp } from '../../../src/app.ts';
import { openDeps } from '../../../src/open-deps.ts';
import { type TestApp, testEnv } from '../../build-test-app.ts';
import { type TestEmulator, testEmulator } from '../../emulator.ts';
import { addCard, makeFranchises } from '../../factories/baskets.ts';
import { gatewaySettings } from '../../factories/payments.ts';
import { type SignedInUser, signInUser } from '../../factories/users.ts';
import type { Heard } from './heard.ts';

export type Customer = SignedInUser & { paymentMethodId: string };
export type Franchises = Awaited<ReturnType<typeof makeFranchises>>;

/** Instances that have only their database in common, and people who meet on it. */
export type RaceBench = {
  instances: [TestApp, ...TestApp[]];
  emulator: TestEmulator;
  /** Each on a merchant account of its own. */
  franchises: Franchises;
  customers: [Customer, ...Customer[]];
  /** What was heard in this run. */
  told: Heard[];
  /** Sets the clock of people and tokens ahead, beside what it is ahead already. */
  advanceClock(seconds: number): void;
  close(): Promise<void>;
};

const INSTANCES = 3;
const CUSTOMERS = 8;

export async function openRaceBench(databaseUrl: string): Promise<RaceBench> {
  const running = await startEmulator({ delayScale: 0 });
  const emulator = testEmulator(running.url);
  const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
  let aheadMilliseconds = 0;
  const now = () => new Date(Date.now() + aheadMilliseconds);
  const open = async (): Promise<TestApp> => {
    const deps = await openDeps(testEnv({ DATABASE_URL: databaseUrl, ...settings }), { clock: now });
    return { deps, app: await buildApp(deps), now: now() };
  };
  const first = await open();
  const instances: RaceBench['instances'] = [first];
  while (instances.length < INSTANCES) instances.push(await open());
  const customers = [];
  for (let index = 0; index < CUSTOMERS; index++) {
    const user = await signInUser(first);
    customers.push({ ...user, paymentMethodId: await addCard(first, emulator, user) });
  }
  return {
    instances,
    emulator,
    franchises: await makeFranchises(first, emulator, { accounts: 3 }),
    customers: customers as [Customer, ...Customer[]],
    told: [],
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
