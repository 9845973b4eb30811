import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { makeCharge } from '../../../test/factories/payments/charges.ts';
import { makePayment } from '../../../test/factories/payments/decided-payments.ts';
import { importRows, officeRow } from '../../../test/office/office.ts';
import { invoice } from '../../db/schema/franchises.ts';
import type { ChargeState } from '../../db/schema/payments.ts';
import { findDocument } from './documents.queries.ts';
import { invoicePage } from './pages/invoice-page.ts';

const portal = useTestApp();

async function documentOf(where: ReturnType<typeof eq>) {
  const { query } = portal.deps.db;
  const [row] = await query.select({ documentId: invoice.documentId }).from(invoice).where(where);
  const found = row && (await findDocument(query, row.documentId));
  if (!found) throw new Error('there is no document');
  return found;
}

test.each<[ChargeState, number]>([
  ['captured', 1],
  ['accepted', 1],
  ['reversing', 1],
  ['authorising', 0],
  ['refused', 0],
  ['released', 0],
  ['capture_failed', 0],
])('of a charge that is %s the document shows %i payments', async (state, count) => {
  const { invoiceId } = await makeCharge(portal.deps, { state });
  const { payments } = await documentOf(eq(invoice.id, invoiceId));
  const expected = {
    method: 'card',
    invoiceCents: 108_25,
    servicesCents: 0,
    servicesTaxCents: 0,
    tipCents: 0,
  };
  expect(payments).toEqual(Array(count).fill(expect.objectContaining(expected)));
});

test('shows money that the office received as a payment, and the rest as the balance', async () => {
  const row = officeRow({ paidElsewhere: '50.00' });
  expect((await importRows(portal, [row])).statusCode).toBe(200);
  const document = await documentOf(eq(invoice.workOrderNumber, Number(row.workOrderNumber)));
  expect(document.payments).toEqual([expect.objectContaining({ method: 'office', invoiceCents: 50_00 })]);
  expect(document.balanceCents).toBe(58_25);
});

test('of a credit that the office copied into its amount, only what was paid in cash beyond it is overpaid', async () => {
  const { invoices } = await makePayment(portal.deps, { servicesCents: -10_00 });
  const [paid] = invoices;
  const totalsAt = async (amountCents: number) => {
    await portal.deps.db.query.execute(sql`
      UPDATE invoice SET amount_cents = ${amountCents}, tax_cents = 7_42 WHERE id = ${paid?.invoiceId}`);
    const document = await documentOf(eq(invoice.id, paid?.invoiceId ?? 0));
    return invoicePage(document, portal.deps.env.PUBLIC_URL).totals.map(
      ({ label, amount }) => `${label} ${amount}`,
    );
  };
  expect((await totalsAt(97_42)).slice(2)).toEqual([
    'Invoice total $97.42',
    'Additional services -$10.00',
    'Tax on additional services -$0.83',
    'Already in the invoice total $10.83',
    'Payments -$97.42',
  ]);
  expect((await totalsAt(90_00)).slice(-3)).toEqual([
    'Already in the invoice total $10.83',
    'Payments -$97.42',
    'Overpaid $7.42',
  ]);
  expect((await totalsAt(103_25)).slice(-2)).toEqual([
    'Already in the invoice total $5.00',
    'Payments -$97.42',
  ]);
});
