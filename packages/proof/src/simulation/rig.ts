import { startEmulator } from '@brightpane/gateway-emulator/start-emulator';
import pg from 'pg';
import { openDatabase } from '../../../../apps/api/src/db/client.ts';
import { appUser, userLocation } from '../../../../apps/api/src/db/schema/people.ts';
import type { Deps } from '../../../../apps/api/src/deps.ts';
import { replaceMerchantAccount } from '../../../../apps/api/src/modules/merchant-accounts/replace-merchant-account.ts';
import { selectPaymentMethods } from '../../../../apps/api/src/modules/payment-methods/payment-methods.queries.ts';
import { saveCard } from '../../../../apps/api/src/modules/payments/pay/card/save-card.ts';
import { compareAfterRestore } from '../../../../apps/api/src/modules/payments/restore/compare-after-restore.ts';
import { openDeps } from '../../../../apps/api/src/open-deps.ts';
import { sweepUntilDone } from '../../../../apps/api/test/books/sweep.ts';
import { testEnv } from '../../../../apps/api/test/build-test-app.ts';
import { type TestEmulator, testEmulator } from '../../../../apps/api/test/emulator.ts';
import { makeInvoice } from '../../../../apps/api/test/factories/invoices.ts';
import { gatewaySettings } from '../../../../apps/api/test/factories/payments/payments.ts';
import { Backends } from './world/backends.ts';
import { Instances } from './world/instances.ts';

export type SimulatedUser = { userId: string; cardId: string };
export type SimulatedPlace = {
  franchiseId: number;
  customerId: number;
  locationId: number;
  merchant: string;
};

/** What all simulations of a process share: a database, a provider, people with cards, places with invoices. */
export type SimulationRig = {
  databaseUrl: string;
  /** Connections outside of the scheduler. */
  admin: pg.Pool;
  emulator: TestEmulator;
  /** An instance without troubles. */
  deps: Deps;
  users: SimulatedUser[];
  places: SimulatedPlace[];
  instances: Instances;
  close(): Promise<void>;
};

const MERCHANTS = ['portal', 'north', 'east'] as const;
const USERS = 3;

export async function openRig(databaseUrl: string): Promise<SimulationRig> {
  const running = await startEmulator({ delayScale: 0 });
  const emulator = testEmulator(running.url);
  const settings = gatewaySettings(emulator, await emulator.merchant('portal'));
  const env = testEnv({ DATABASE_URL: databaseUrl, ...settings });
  const db = openDatabase({ url: databaseUrl, poolSize: env.DATABASE_POOL_SIZE });
  const admin = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  const backends = new Backends();
  for (const pool of [db.pool, admin]) backends.watch(pool);
  const deps = await openDeps(env, { db });
  const instances = new Instances({ healthy: deps, admin, emulator, backends });
  const places = await makePlaces(deps, emulator);
  // Compare now, so that no simulation starts by reading the provider's lists.
  await compareAfterRestore(deps);
  const users = await makeUsers(deps, emulator, places);
  // Release the card checks' own holds before the first simulation resets the provider.
  await sweepUntilDone(deps);
  return {
    databaseUrl,
    admin,
    emulator,
    deps,
    places,
    users,
    instances,
    async close() {
      await instances.close();
      await deps.db.close();
      await admin.end();
      await running.close();
    },
  };
}

/** A franchise on each merchant account; the first uses the portal's. */
async function makePlaces(deps: Deps, emulator: TestEmulator): Promise<SimulatedPlace[]> {
  const places = [];
  for (const merchant of MERCHANTS) {
    const { franchiseId, customerId, locationId } = await makeInvoice(deps.db.query, {
      amountCents: 0,
      taxCents: 0,
    });
    if (merchant !== 'portal') {
      const keys = await emulator.merchant(merchant);
      await deps.db.transaction((tx) => replaceMerchantAccount(deps, { tx, franchiseId, keys }));
    }
    places.push({ franchiseId, customerId, locationId, merchant });
  }
  return places;
}

async function makeUsers(
  deps: Deps,
  emulator: TestEmulator,
  places: SimulatedPlace[],
): Promise<SimulatedUser[]> {
  const users = [];
  for (let index = 0; index < USERS; index++) {
    const [user] = await deps.db.query
      .insert(appUser)
      .values({
        email: `payer${index}@example.com`,
        firstName: 'Robin',
        lastName: 'Payer',
        passwordHash: 'none',
        emailConfirmedAt: deps.clock(),
      })
      .returning({ userId: appUser.id });
    if (!user) throw new Error('nothing was inserted');
    const { userId } = user;
    await deps.db.query
      .insert(userLocation)
      .values(places.map(({ locationId }) => ({ userId, locationId, linkedAt: deps.clock() })));
    const paymentKey = await emulator.mintPaymentKey();
    await saveCard(
      deps,
      { userId, idempotencyKey: null, paymentKey, street: 'Maple Street 12', postalCode: '62704' },
      (attempt) => attempt(),
    );
    const [card] = await selectPaymentMethods(deps.db.query, userId);
    if (!card) throw new Error('no card was saved');
    users.push({ userId, cardId: card.id });
  }
  return users;
}
