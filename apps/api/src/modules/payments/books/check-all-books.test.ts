import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeCharge } from '../../../../test/factories/payments/charges.ts';
import { keepLog } from '../../../../test/kept-log.ts';
import type { Deps } from '../../../deps.ts';
import { trackUnderWay } from '../../../under-way.ts';
import { readStatus } from '../../office/read-status.ts';
import { checkAllBooks } from './check-all-books.ts';
import { checkBooks } from './check-books.ts';

const kept = keepLog();
const portal = useTestApp({}, { log: kept.log });
const execute = (statement: ReturnType<typeof sql>) => portal.deps.db.query.execute(statement);

async function toldBy(check: (deps: Deps) => Promise<void>): Promise<unknown[]> {
  kept.clear();
  await check(portal.deps);
  return kept.events().flatMap(({ alert, rule, subject }) => (alert ? [{ rule, subject }] : []));
}

/** What `status` lists as broken. */
const stillBroken = async () => (await readStatus(portal.deps)).brokenRules;

/** Changes an invoice's paid amount by hand, runs `work` and restores it. */
async function whileChangedByHand(invoiceId: number, work: () => Promise<void>): Promise<void> {
  await execute(sql`UPDATE invoice SET paid_cents = paid_cents + 1 WHERE id = ${invoiceId}`);
  try {
    await work();
  } finally {
    await execute(sql`UPDATE invoice SET paid_cents = paid_cents - 1 WHERE id = ${invoiceId}`);
  }
}

const daysAgo = (intentId: string, days: number) =>
  execute(sql`
    UPDATE payment_intent SET created_at = created_at - make_interval(days => ${days}) WHERE id = ${intentId}`);

const notLeft = (invoiceId: number) => [
  { rule: 'I9 the balance is what is left', subject: `invoice ${invoiceId}` },
];

test('reports a change by hand to a recent payment within minutes', async () => {
  const { invoiceId } = await makeCharge(portal.deps, { state: 'captured' });
  await whileChangedByHand(invoiceId, async () => {
    expect(await toldBy(checkBooks)).toEqual(notLeft(invoiceId));
  });
});

test('reports a change by hand to an older payment the next night', async () => {
  const { invoiceId, intentId } = await makeCharge(portal.deps, { state: 'captured' });
  await daysAgo(intentId, 5);
  await whileChangedByHand(invoiceId, async () => {
    expect(await toldBy(checkBooks)).toEqual([]);
    expect(await toldBy(checkAllBooks)).toEqual(notLeft(invoiceId));
  });
});

test('checks a payment every few minutes while it is unfinished', async () => {
  const { invoiceId, intentId, chargeId } = await makeCharge(portal.deps, { state: 'accepted' });
  await execute(sql`
    UPDATE charge SET next_try_at = engine_now(), review_since = engine_now() WHERE id = ${chargeId}`);
  await daysAgo(intentId, 5);
  await whileChangedByHand(invoiceId, async () => {
    expect(await toldBy(checkBooks)).toEqual(notLeft(invoiceId));
  });
});

test('checks recently received office money every few minutes too', async () => {
  const { invoiceId } = await makeInvoice(portal.deps.db.query, { paidElsewhereCents: 50_00 });
  const change = (cents: number) =>
    execute(sql`UPDATE invoice SET paid_elsewhere_cents = ${cents} WHERE id = ${invoiceId}`);
  await change(70_00);
  expect(await toldBy(checkBooks)).toEqual([
    { rule: 'I9 what an office has received is booked', subject: `invoice ${invoiceId}` },
  ]);
  await change(50_00);
});

test('status lists a broken rule until the next check finds it kept again', async () => {
  const { invoiceId } = await makeCharge(portal.deps, { state: 'captured' });
  const broken = [`I9 the balance is what is left: invoice ${invoiceId}`];
  await whileChangedByHand(invoiceId, async () => {
    await checkBooks(portal.deps);
    await checkAllBooks(portal.deps);
    expect(await stillBroken()).toEqual(broken);
  });
  await checkBooks(portal.deps);
  expect(await stillBroken()).toEqual(broken);
  await checkAllBooks(portal.deps);
  expect(await stillBroken()).toEqual([]);
});

test('what the nightly check found in an older payment stays until a whole check finds it kept again', async () => {
  const { invoiceId, intentId } = await makeCharge(portal.deps, { state: 'captured' });
  await daysAgo(intentId, 5);
  const broken = [`I9 the balance is what is left: invoice ${invoiceId}`];
  await whileChangedByHand(invoiceId, () => checkAllBooks(portal.deps));
  await checkBooks(portal.deps);
  expect(await stillBroken()).toEqual(broken);
  const underWay = trackUnderWay();
  underWay.end();
  await checkAllBooks({ ...portal.deps, underWay });
  expect(await stillBroken()).toEqual(broken);
  await checkAllBooks(portal.deps);
  expect(await stillBroken()).toEqual([]);
});

test('the nightly check reads every page, and stops between two when its process ends', async () => {
  const { rows } = await portal.deps.db.query.execute<{ locationId: number; franchiseId: number }>(sql`
    SELECT id AS "locationId", franchise_id AS "franchiseId" FROM location LIMIT 1`);
  const { locationId, franchiseId } = rows[0] ?? {};
  await execute(sql`
    INSERT INTO invoice (franchise_id, work_order_number, location_id, service, amount_cents, tax_cents,
                         tax_rate_ppm, tips_enabled)
    SELECT ${franchiseId}, 1000000 + n, ${locationId}, 'Windows', 10825, 825, 82500, true
      FROM generate_series(1, 4500) AS n`);
  const { rows: last } = await portal.deps.db.query.execute<{ id: number }>(
    sql`SELECT max(id) AS id FROM invoice`,
  );
  const invoiceId = last[0]?.id ?? 0;
  await whileChangedByHand(invoiceId, async () => {
    expect(await toldBy(checkAllBooks)).toEqual(notLeft(invoiceId));
    const underWay = trackUnderWay();
    underWay.end();
    expect(await toldBy((deps) => checkAllBooks({ ...deps, underWay }))).toEqual([]);
  });
});
