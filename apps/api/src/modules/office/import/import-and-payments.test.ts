import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { expectBooksBalanced } from '../../../../test/books/compare-ledgers.ts';
import { sweep, sweepUntilDone } from '../../../../test/books/sweep.ts';
import { call } from '../../../../test/build-test-app.ts';
import { useEmulator } from '../../../../test/emulator.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../../../test/factories/payments/payments.ts';
import { callOffice, importRows, officeRow, type Row } from '../../../../test/office/office.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);

const numbersOf = (row: Row) => ({
  franchiseId: Number(row.franchiseId),
  workOrderNumber: Number(row.workOrderNumber),
});

const pay = async (row: Row) => payAsGuest(portal, await guestSale(emulator, numbersOf(row)));

async function find({ franchiseId, workOrderNumber, zipCode }: Row) {
  const answer = await call(portal, 'POST', '/user/invoice/search', {
    body: { franchiseId, workOrderNumber, zipCode },
  });
  return answer.json();
}

async function mailsTo(recipient: string): Promise<{ kind: string; subject: string; text: string }[]> {
  const { rows } = await portal.deps.db.query.execute<{ kind: string; subject: string; text: string }>(sql`
    SELECT kind, content->>'subject' AS subject, content->>'text' AS text
      FROM outgoing_mail WHERE recipient = ${recipient} ORDER BY created_at`);
  return rows;
}

/** An imported invoice whose office has a mail address. */
async function invoiceOfOffice(given: Partial<Row> = {}): Promise<{ row: Row; email: string }> {
  const row = officeRow(given);
  await importRows(portal, [row]);
  const email = `office${row.franchiseId}@example.com`;
  await callOffice(portal, 'PUT', `/franchises/${row.franchiseId}`, { body: { email } });
  return { row, email };
}

describe('an invoice that was paid by card', () => {
  test('and by check is overpaid: the answer and a mail to the office say so', async () => {
    const { row, email } = await invoiceOfOffice();
    expect((await pay(row)).statusCode).toBe(200);
    const answer = await importRows(portal, [{ ...row, paidElsewhere: '108.25' }]);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      created: 0,
      updated: 1,
      unchanged: 0,
      overpaid: [{ ...numbersOf(row), amount: 108.25 }],
    });
    expect(await mailsTo(email)).toEqual([
      {
        kind: 'overpaid',
        subject: `Work order ${row.workOrderNumber} is overpaid by $108.25`,
        text: expect.stringMatching(
          new RegExp(
            `than this invoice of .* comes to:[\\s\\S]*Work order ${row.workOrderNumber} +\\$108.25`,
          ),
        ),
      },
    ]);
    expect(await find(row)).toMatchObject({
      balanceDue: 0,
      payments: [{ amount: 108.25 }, { amount: 108.25 }],
    });
    await sweep(portal.deps);
    await expectBooksBalanced(portal.deps, emulator);
  });

  test('and then lowered stays paid, and is overpaid by the difference', async () => {
    const { row } = await invoiceOfOffice();
    await pay(row);
    const answer = await importRows(portal, [{ ...row, amount: '100.00' }]);
    expect(answer.json()).toMatchObject({ updated: 1, overpaid: [{ ...numbersOf(row), amount: 8.25 }] });
    expect(await find(row)).toMatchObject({ balanceDue: 0, amount: 100, payments: [{ amount: 108.25 }] });
    await sweep(portal.deps);
    await expectBooksBalanced(portal.deps, emulator);
  });

  test('and then raised is due again by the difference, and can be paid', async () => {
    const { row } = await invoiceOfOffice();
    await pay(row);
    const raised = { ...row, amount: '120.25' };
    expect((await importRows(portal, [raised])).json()).toEqual({ created: 0, updated: 1, unchanged: 0 });
    expect(await find(row)).toMatchObject({ balanceDue: 12 });
    expect((await pay(row)).json()).toMatchObject({ amount: 12 });
    await sweep(portal.deps);
    await expectBooksBalanced(portal.deps, emulator);
  });

  test('is unchanged by the same file', async () => {
    const { row } = await invoiceOfOffice();
    await pay(row);
    expect((await importRows(portal, [row])).json()).toEqual({ created: 0, updated: 0, unchanged: 1 });
    expect(await find(row)).toMatchObject({ balanceDue: 0 });
  });
});

test('sends one mail for several overpayments of a franchise, and none without an address', async () => {
  const { row, email } = await invoiceOfOffice();
  const second = { ...row, workOrderNumber: '7', amount: '50.00' };
  const elsewhere = officeRow();
  await importRows(portal, [row, second, elsewhere]);
  const paid = [row, second, elsewhere].map((each) => ({ ...each, paidElsewhere: '200.00' }));
  expect((await importRows(portal, paid)).json().overpaid).toHaveLength(3);
  const [mail, ...more] = await mailsTo(email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('2 work orders are overpaid by $241.75');
  expect(mail?.text).toMatch(/than these invoices of .* come to:[\s\S]*Overpaid in all +\$241\.75/);
});

test('pays what the payer saw, or nothing, while an import changes the invoice', async () => {
  for (let round = 0; round < 10; round++) {
    const { row } = await invoiceOfOffice();
    const changed = { ...row, amount: round % 2 === 0 ? '90.25' : '130.25' };
    const { version } = await find(row);
    const sale = await guestSale(emulator, { ...numbersOf(row), zipCode: row.zipCode });
    const [payment, imported] = await Promise.all([
      payAsGuest(portal, sale, { 'if-match': `"${version}"` }),
      importRows(portal, [changed]),
    ]);
    expect(imported.json()).toMatchObject({ created: 0, updated: 1 });
    expect([200, 409]).toContain(payment.statusCode);
    const charged = payment.statusCode === 200 ? 108.25 : 0;
    if (charged > 0) expect(payment.json()).toMatchObject({ amount: 108.25 });
    const due = Math.max(0, Number(changed.amount) - charged);
    expect(await find(row)).toMatchObject({ balanceDue: due });
  }
  await sweepUntilDone(portal.deps);
  await expectBooksBalanced(portal.deps, emulator);
});
