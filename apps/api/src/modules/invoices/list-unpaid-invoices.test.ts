import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { linkCustomer, linkLocation, signInUser } from '../../../test/factories/users.ts';
import { openDatabase } from '../../db/client.ts';
import { userLocation } from '../../db/schema/people.ts';
import { selectUnpaidInvoices } from './invoices.queries.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;
const list = (token: string) => call(portal, 'GET', '/user/invoice', { token });
const numbersIn = async (token: string) =>
  (await list(token)).json<{ workOrderNumber: number }[]>().map((each) => each.workOrderNumber);

describe('GET /user/invoice', () => {
  test('lists what is due at every location of the user, soonest first and undated last', async () => {
    const user = await signInUser(portal);
    const undated = await makeInvoice(db(), { dueDate: null });
    const { franchiseId, customerId } = undated;
    const late = await makeInvoice(db(), { dueDate: '2026-12-24' });
    const soon = await makeInvoice(db(), { franchiseId, customerId, dueDate: '2026-10-01' });
    await linkCustomer(portal, { ...user, customerId });
    await linkLocation(portal, { ...user, locationId: late.locationId });

    expect(await numbersIn(user.token)).toEqual([
      soon.workOrderNumber,
      late.workOrderNumber,
      undated.workOrderNumber,
    ]);
  });

  test('shows an invoice as the guest look-up does', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db(), { paidElsewhereCents: 20_00 });
    await linkLocation(portal, { ...user, locationId: made.locationId });
    const found = await call(portal, 'POST', '/user/invoice/search', {
      body: {
        franchiseId: made.franchiseId,
        workOrderNumber: made.workOrderNumber,
        zipCode: made.zipCode,
      },
    });
    expect((await list(user.token)).json()).toEqual([found.json()]);
    expect(found.json()).toMatchObject({ balanceDue: 88.25, workOrders: [{ locationId: made.locationId }] });
  });

  test.each([
    ['what is paid', { paidElsewhereCents: 108_25 }],
    ['what is overpaid', { paidElsewhereCents: 200_00 }],
    ['what costs nothing', { amountCents: 0, taxCents: 0 }],
  ])('leaves out %s', async (_what, given) => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db(), given);
    await linkLocation(portal, { ...user, locationId: made.locationId });
    expect(await numbersIn(user.token)).toEqual([]);
  });

  test('shows nobody what is due at somebody else’s location', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());
    await linkLocation(portal, { ...user, locationId: made.locationId });
    expect(await numbersIn((await signInUser(portal)).token)).toEqual([]);
  });

  test('leaves out a customer’s invoice at a removed location', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());
    await linkCustomer(portal, { ...user, customerId: made.customerId });
    await db()
      .insert(userLocation)
      .values({ userId: user.userId, locationId: made.locationId, hiddenAt: portal.now });
    expect(await numbersIn(user.token)).toEqual([]);
  });

  test('uses the index of unpaid invoices for every plan', async () => {
    const { userId } = await signInUser(portal);
    const made = await makeInvoice(db());
    await linkLocation(portal, { userId, locationId: made.locationId });
    await db().execute(sql`
      INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                           tax_rate_ppm, tips_enabled)
      SELECT ${made.franchiseId}, 500000 + n, ${made.locationId}, 'Windows', 0, 0, 0, false
        FROM generate_series(1, 20000) n`);
    await db().execute(sql`ANALYZE invoice`);

    // Use one connection, to read the generic plan of its prepared statement.
    const single = openDatabase({ url: portal.deps.env.DATABASE_URL, poolSize: 1 });
    try {
      expect(await selectUnpaidInvoices(single.query, userId)).toHaveLength(1);
      await single.query.execute(sql`SET plan_cache_mode = force_generic_plan`);
      const { rows: kept } = await single.pool.query<{ name: string }>(
        'SELECT name FROM pg_prepared_statements',
      );
      const { rows } = await single.query.execute<{ 'QUERY PLAN': string }>(
        sql.raw(`EXPLAIN EXECUTE "${kept[0]?.name}" ('${userId}')`),
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('unpaid_invoice_by_location');
      expect(plan).not.toContain('Seq Scan on invoice');
    } finally {
      await single.close();
    }
  });
});
