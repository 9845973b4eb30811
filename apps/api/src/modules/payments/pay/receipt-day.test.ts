import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { setEngineClock } from '../../../../test/books/engine-clock.ts';
import { isSomebodyWaitingForALock } from '../../../../test/database/overtake.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { usePayments } from '../../../../test/use-payments.ts';

const { emulator, portal, db, guestPays } = usePayments();

async function setClocks(to: string): Promise<void> {
  await setEngineClock(portal.deps, to);
  portal.now = new Date(to);
}

test('a receipt names the day of the books, though the payment waited past midnight for an import', async () => {
  const { zipCode, ...invoice } = await makeInvoice(db());
  await setClocks('2026-12-01T05:59:55Z');
  const goOn = await emulator.hold();
  const paying = guestPays({ ...invoice, zipCode }, { email: 'payer@example.com', sendReceipt: true });
  await portal.deps.db.transaction(async (importing) => {
    await vi.waitUntil(async () => (await emulator.ledger()).length > 0, 60_000);
    await importing.execute(sql`SELECT FROM invoice WHERE id = ${invoice.invoiceId} FOR UPDATE`);
    await goOn();
    await vi.waitUntil(() => isSomebodyWaitingForALock(portal), 60_000);
    await setClocks('2026-12-01T06:00:05Z');
  });
  expect((await paying).statusCode).toBe(200);

  const { rows } = await db().execute<{ booked: string; text: string }>(sql`
    SELECT (SELECT min(e.created_at AT TIME ZONE 'America/Chicago')::date::text FROM ledger_entry e
             WHERE e.invoice_id = ${invoice.invoiceId}) AS booked,
           content ->> 'text' AS text
      FROM outgoing_mail WHERE kind = 'payment-receipt'`);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.booked).toBe('2026-12-01');
  expect(rows[0]?.text).toContain('We received your payment on December 1, 2026.');
});
