import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { chargesOf, expectBooksBalanced, sweep } from '../../../test/books.ts';
import { useEmulator } from '../../../test/emulator.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../../test/factories/payments.ts';
import { invoice } from '../../db/schema/franchises.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);
const db = () => portal.deps.db.query;

beforeEach(() => emulator.clearFaults());

async function balanceOf(invoiceId: number): Promise<number | undefined> {
  const [row] = await db().select().from(invoice).where(eq(invoice.id, invoiceId));
  return row?.balanceCents;
}

describe('a guest who pays an invoice', () => {
  test('is told amount and reference, and the card is charged once', async () => {
    const made = await makeInvoice(db());
    const answer = await payAsGuest(portal, await guestSale(emulator, made, { tipAmount: 15 }));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ amount: 123.25, reference: expect.stringMatching(/^\d+$/) });
    expect(await balanceOf(made.invoiceId)).toBe(0);
    await sweep(portal.deps);
    expect((await chargesOf(portal.deps)).at(-1)?.state).toBe('captured');
    await expectBooksBalanced(portal.deps, emulator);
  });
});
