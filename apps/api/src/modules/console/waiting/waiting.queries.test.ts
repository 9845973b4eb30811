import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testEnv } from '../../../../test/build-test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/database/postgres.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makePayment, type PaidInvoice } from '../../../../test/factories/payments/decided-payments.ts';
import { rowsReadBy } from '../../../../test/plans/judge-plan.ts';
import { explainAll, watchStatements } from '../../../../test/plans/watch-statements.ts';
import type { Deps } from '../../../deps.ts';
import { openDeps } from '../../../open-deps.ts';
import { countOverpaid } from './waiting.queries.ts';

/** The key of `OFFICE_API_KEY`, which sees every franchise. */
const EVERYBODY = '00000000-0000-4000-8000-000000000001';
const CREDITED = 2_000;
const OVERPAID = 3;

const watched = watchStatements();
let database: TestDatabase;
let deps: Deps;

beforeAll(async () => {
  database = await createTestDatabase();
  deps = await openDeps(testEnv({ DATABASE_URL: database.url }));
  await makeCredited(CREDITED);
  await explainAll(database.url);
});
afterAll(async () => {
  watched.stop();
  await deps.db.close();
  await database.drop();
});

/** Invoices of which payers took 10.83 off, and the office 10.00: more was paid than they ask for, but not in cash. */
async function makeCredited(count: number): Promise<void> {
  const first = await makeInvoice(deps.db.query);
  const { rows } = await deps.db.query.execute<Pick<PaidInvoice, 'invoiceId' | 'workOrderNumber'>>(sql`
    INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents, tax_rate_ppm,
                         tips_enabled)
    SELECT franchise_id, work_order_number + n, location_id, service, amount_cents, tax_cents, tax_rate_ppm, true
      FROM invoice CROSS JOIN generate_series(1, ${count}) AS copy (n) WHERE id = ${first.invoiceId}
    RETURNING id::integer AS "invoiceId", work_order_number::integer AS "workOrderNumber"`);
  await makePayment(deps, {
    invoices: rows.map((row) => ({ ...first, ...row })),
    servicesCents: -10_00,
  });
  await deps.db.query.execute(
    sql`UPDATE invoice SET amount_cents = amount_cents - 10_00 WHERE paid_cents > 0`,
  );
  await deps.db.query.execute(sql`ANALYZE`);
}

const count = () => countOverpaid(deps.db.query, { actorId: EVERYBODY, most: 100 });

test('counts what is overpaid without reading the invoices of which only a credit is left', async () => {
  expect(await count()).toBe(0);
  await deps.db.query.execute(sql`
    UPDATE invoice SET amount_cents = amount_cents - 5_00
     WHERE id IN (SELECT id FROM invoice WHERE paid_cents > 0 ORDER BY id LIMIT ${OVERPAID})`);
  watched.take();
  expect(await count()).toBe(OVERPAID);
  const read = watched.take().map(rowsReadBy);
  expect(read.length).toBeGreaterThan(0);
  expect(Math.max(...read)).toBeGreaterThanOrEqual(OVERPAID);
  expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(CREDITED / 100);
});
