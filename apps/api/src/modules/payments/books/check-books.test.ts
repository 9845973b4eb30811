import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { listViolations } from '../../../../test/books/list-violations.ts';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeInvoice, receiveElsewhere } from '../../../../test/factories/invoices.ts';
import { importRows, officeRow } from '../../../../test/office/office.ts';
import type { Queryable } from '../../../db/client.ts';

const portal = useTestApp();
const NOT_BOOKED = 'I9 what an office has received is booked';

/** Violations reported after some work, which is then rolled back. */
async function violationsAfter(work: (tx: Queryable) => Promise<unknown>) {
  const undo = new Error('undo');
  let violations: unknown;
  await portal.deps.db
    .transaction(async (tx) => {
      await work(tx);
      violations = await listViolations(tx);
      throw undo;
    })
    .catch((error) => expect(error).toBe(undo));
  return violations;
}

test('books what an office receives and takes back', async () => {
  const row = officeRow({ paidElsewhere: '50.00' });
  for (const paidElsewhere of ['50.00', '108.25', '20.00', '0.00', '200.00']) {
    await importRows(portal, [{ ...row, paidElsewhere }]);
    expect(await listViolations(portal.deps.db.query)).toEqual([]);
  }
});

test.each([0, 50_00])('reports office money of which only %i cents are booked', async (booked) => {
  const { invoiceId } = await makeInvoice(portal.deps.db.query, { paidElsewhereCents: booked });
  expect(await listViolations(portal.deps.db.query)).toEqual([]);
  const violations = await violationsAfter((tx) =>
    tx.execute(sql`UPDATE invoice SET paid_elsewhere_cents = 7000 WHERE id = ${invoiceId}`),
  );
  expect(violations).toEqual([{ rule: NOT_BOOKED, subject: `invoice ${invoiceId}` }]);
});

test('reports an entry without an office’s statement behind it', async () => {
  const { invoiceId } = await makeInvoice(portal.deps.db.query);
  const violations = await violationsAfter(async (tx) => {
    await receiveElsewhere(tx, { invoiceId, receivedCents: 20_00 });
    await tx.execute(sql`UPDATE invoice SET paid_elsewhere_cents = 0 WHERE id = ${invoiceId}`);
  });
  expect(violations).toEqual([{ rule: NOT_BOOKED, subject: `invoice ${invoiceId}` }]);
});
