import { sql } from 'drizzle-orm';
import type { TestApp } from '../build-test-app.ts';
import type { TestEmulator } from '../emulator.ts';
import { makeInvoice } from '../factories/invoices.ts';
import { makeFranchises, makeUnpaidInvoices, type UnpaidInvoice } from '../factories/unpaid-invoices.ts';
import { linkCustomer, linkLocation, makeUser, type SignedInUser, signInUser } from '../factories/users.ts';

/** A customer with `count` of everything. */
export type PlanCustomer = SignedInUser & {
  count: number;
  /** All unpaid and of one franchise, each at its own location. */
  invoices: UnpaidInvoice[];
};

export async function makePlanCustomer(
  portal: TestApp,
  emulator: TestEmulator,
  { count }: { count: number },
): Promise<PlanCustomer> {
  const db = portal.deps.db.query;
  const user = await signInUser(portal);
  const franchises = await makeFranchises(portal, emulator, { accounts: 1 });
  const invoices = await makeUnpaidInvoices(portal, { user, franchises, invoices: count });
  for (let index = 0; index < count; index++) {
    await linkLocation(portal, { ...user, ...(await makeInvoice(db)) });
    const invited = await makeInvoice(db);
    await db.execute(sql`
      INSERT INTO invitation (customer_id, email, expires_at)
      VALUES (${invited.customerId}, ${user.email}, '2027-01-01')`);
  }
  await linkCustomer(portal, { ...user, customerId: invoices[0]?.customerId ?? 0 });
  return { ...user, count, invoices };
}

/** A person who isn't signed in yet, with that many sessions elsewhere. */
export async function makePlanAccount(portal: TestApp, { count }: { count: number }) {
  const account = await makeUser(portal);
  await portal.deps.db.query.execute(sql`
    INSERT INTO session (id, user_id, rotated_at, created_at, expires_at)
    SELECT gen_random_uuid(), ${account.userId}, '2026-11-01', '2026-11-01', '2026-12-20'
      FROM generate_series(1, ${count})`);
  return account;
}
