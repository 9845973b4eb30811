import type { TestApp } from '../../../../../apps/api/test/build-test-app.ts';
import type { TestEmulator } from '../../../../../apps/api/test/emulator.ts';
import { addCard, makeFranchises } from '../../../../../apps/api/test/factories/unpaid-invoices.ts';
import { type SignedInUser, signInUser } from '../../../../../apps/api/test/factories/users.ts';
import type { Heard } from './heard.ts';

export type Customer = SignedInUser & { paymentMethodId: string };
export type Franchises = Awaited<ReturnType<typeof makeFranchises>>;

/** Who pays, where, and what they were told. */
export type People = {
  /** Instances in this process; the first one prepares everything. */
  instances: [TestApp, ...TestApp[]];
  emulator: TestEmulator;
  /** Each on its own merchant account. */
  franchises: Franchises;
  customers: [Customer, ...Customer[]];
  /** In this run. */
  told: Heard[];
};

const MERCHANTS = 3;

/** Franchises, and customers with a saved card. */
export async function makePeople(
  instances: People['instances'],
  { emulator, count }: { emulator: TestEmulator; count: number },
): Promise<People> {
  const [portal] = instances;
  const customers = [];
  for (let index = 0; index < count; index++) {
    const user = await signInUser(portal);
    customers.push({ ...user, paymentMethodId: await addCard(portal, emulator, user) });
  }
  return {
    instances,
    emulator,
    franchises: await makeFranchises(portal, emulator, { accounts: MERCHANTS }),
    customers: customers as [Customer, ...Customer[]],
    told: [],
  };
}
