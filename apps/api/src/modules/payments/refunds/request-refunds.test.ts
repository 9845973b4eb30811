import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { call } from '../../../../test/build-test-app.ts';
import { makeRefundable, requestRefundOfEach } from '../../../../test/factories/requested-refunds.ts';
import {
  addCard,
  makeFranchises,
  makeUnpaidInvoices,
  portalSale,
} from '../../../../test/factories/unpaid-invoices.ts';
import { signInUser } from '../../../../test/factories/users.ts';
import { explainAll, watchStatements } from '../../../../test/plans/watch-statements.ts';
import { usePayments } from '../../../../test/use-payments.ts';

const { emulator, portal, db, sweepAll } = usePayments();
const watched = watchStatements();

beforeAll(() => explainAll(portal.deps.env.DATABASE_URL));

/** One payment of an invoice of each office, each on the office's own account. */
async function payOffices(accounts: number) {
  const franchises = await makeFranchises(portal, emulator, { accounts });
  const user = await signInUser(portal);
  const paymentMethodId = await addCard(portal, emulator, user);
  const invoices = await makeUnpaidInvoices(portal, { user, franchises, invoices: accounts });
  const body = portalSale(invoices, { paymentMethodId });
  const paying = await call(portal, 'POST', '/usaepay/customerportalsale', { token: user.token, body });
  expect(paying.statusCode, paying.body).toBe(200);
  await sweepAll();
  return Promise.all(
    invoices.map(async (invoice) => ({ ...invoice, ...(await makeRefundable(db(), invoice)) })),
  );
}

test('a request of several offices reads nothing again for each, and names each act’s own office', async () => {
  const sales = await payOffices(3);
  watched.take();
  const refundIds = await requestRefundOfEach(portal.deps, sales, { invoiceCents: 10_00 });
  const statements = watched
    .take()
    .filter(({ isNested }) => !isNested)
    .map(({ text }) => text.replace(/\s+/g, ' ').trim());
  expect(statements.filter((text) => text.includes('INSERT INTO refund_line'))).toHaveLength(3);
  const reads = statements.filter((text) => text.startsWith('SELECT'));
  expect(reads).toEqual([...new Set(reads)]);
  const { rows } = await db().execute<{ subject: string; franchiseId: number }>(sql`
    SELECT subject, franchise_id AS "franchiseId" FROM audit_event WHERE action = 'refund: request'`);
  const named = Object.fromEntries(rows.map(({ subject, franchiseId }) => [subject, franchiseId]));
  expect(named).toEqual(
    Object.fromEntries(refundIds.map((id, index) => [`refund ${id}`, sales[index]?.franchiseId])),
  );
});
