import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeCharge } from '../../../../test/factories/payments/charges.ts';
import { makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import { importRows, officeRow } from '../../../../test/office/office.ts';
import {
  callConsole,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
} from '../../../../test/office/office-people.ts';

const portal = useTestApp(OFFICE_SETTINGS);

const overpaid = (franchiseId: string, count: number) =>
  importRows(
    portal,
    Array.from({ length: count }, () => officeRow({ franchiseId, paidElsewhere: '120.25' })),
  );

async function waitingOf(options: Parameters<typeof makeStaff>[1]) {
  const cookie = await signInStaff(portal, await makeStaff(portal, options));
  const answer = await callConsole(portal, 'GET', '/waiting', { cookie });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

beforeAll(async () => {
  await importRows(portal, [officeRow({ franchiseId: '7101' })]);
  await overpaid('7101', 2);
  await overpaid('7102', 1);
});

test('an office counts only its own overpaid invoices, and nothing that headquarters review', async () => {
  expect(await waitingOf({ role: 'owner', franchiseIds: [7101] })).toEqual({
    review: null,
    overpaid: 2,
    refunds: 0,
    credits: 0,
  });
  expect(await waitingOf({ role: 'viewer', franchiseIds: [7102] })).toEqual({
    review: null,
    overpaid: 1,
    refunds: 0,
    credits: 0,
  });
  expect(await waitingOf({ role: 'clerk', franchiseIds: [7101, 7102] })).toMatchObject({ overpaid: 3 });
});

test('headquarters count charges, found payments and differences together until somebody deals with them', async () => {
  const before = await waitingOf({ role: 'finance' });
  expect(before).toMatchObject({ overpaid: 3 });
  const { chargeId } = await makeCharge(portal.deps, { state: 'unresolved' });
  await portal.deps.db.query.execute(sql`
    UPDATE charge SET review_since = engine_now() WHERE id = ${chargeId}`);
  await portal.deps.db.query.execute(sql`
    INSERT INTO found_payment (order_id, transaction_key, merchant_account_id, reference, amount_cents, state, is_unnamed)
    SELECT 'waits', 'key', min(id), '1', 100, 'captured', false FROM merchant_account`);
  await portal.deps.db.query.execute(sql`
    INSERT INTO book_difference (kind, merchant_account_id, order_id, reference, amount_cents)
    SELECT 'not-in-our-books', min(id), 'by-hand', '2', 100 FROM merchant_account`);
  expect(await waitingOf({ role: 'finance' })).toMatchObject({ review: before.review + 3 });
  await portal.deps.db.query.execute(sql`
    UPDATE book_difference SET acknowledged_at = engine_now(), acknowledged_by = 'henry@example.com', note = 'Seen.'`);
  expect(await waitingOf({ role: 'finance' })).toMatchObject({ review: before.review + 2 });
  expect(await waitingOf({ role: 'support' })).toMatchObject({ review: null });
});

test('a payer’s credit that the office copied into its amount is not overpaid', async () => {
  const { franchiseId, workOrderNumber, ...invoice } = await makeInvoice(portal.deps.db.query);
  await makePayment(portal.deps, {
    invoices: [{ ...invoice, franchiseId, workOrderNumber }],
    servicesCents: -10_00,
  });
  const lowerBy = (amountCents: number) =>
    portal.deps.db.query.execute(sql`
      UPDATE invoice SET amount_cents = amount_cents - ${amountCents} WHERE id = ${invoice.invoiceId}`);
  const cookie = await signInStaff(
    portal,
    await makeStaff(portal, { role: 'owner', franchiseIds: [franchiseId] }),
  );
  const read = async (path: string) => (await callConsole(portal, 'GET', path, { cookie })).json();
  const seen = async () => ({
    waiting: (await read('/waiting')).overpaid,
    listed: (await read('/invoices?status=overpaid')).items.length,
    ...(await read(`/invoices/${franchiseId}/${workOrderNumber}`)),
  });
  await lowerBy(10_00);
  expect(await seen()).toMatchObject({ waiting: 0, listed: 0, overpaid: 0, status: 'paid' });
  await lowerBy(5_00);
  expect(await seen()).toMatchObject({ waiting: 1, listed: 1, overpaid: 4.17, status: 'overpaid' });
});

test('stops counting at a hundred', async () => {
  await overpaid('7103', 101);
  expect(await waitingOf({ role: 'owner', franchiseIds: [7103] })).toEqual({
    review: null,
    overpaid: 100,
    refunds: 0,
    credits: 0,
  });
});
