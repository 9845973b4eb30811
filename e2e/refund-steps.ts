import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expectCaptured, importInvoice } from './guest-payment-steps.ts';
import { giveMerchantAccount, payByCall } from './portal-steps.ts';
import { openConsole } from './support/console/console.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { inDatabase } from './support/database.ts';
import { callProvider, providerLedger } from './support/emulator.ts';
import { expect } from './support/test.ts';

export const VOIDED = 'Charge voided. It disappears from the statement.';
export const REFUNDED = 'Refunded. Banks show it in 5 to 10 business days.';

/** A refund's outcome shows after the next sweep. */
const SWEPT = { timeout: 30_000 };

/** A collected payment of one invoice; a merchant account other than the portal's becomes the office's own. */
export async function payCollected(
  request: APIRequestContext,
  office: Office,
  {
    card,
    invoice = {},
    merchant,
    tip = 0,
  }: { card?: string; invoice?: Partial<InvoiceRow>; merchant?: string; tip?: number } = {},
): Promise<InvoiceRow> {
  const imported = await importInvoice(office, { customerName: `Quill ${office.franchiseId}`, ...invoice });
  if (merchant !== undefined) await giveMerchantAccount(office, merchant);
  await payByCall(request, imported, {
    ...(card !== undefined && { card }),
    ...(merchant !== undefined && { merchant }),
    ...(tip > 0 && { tipAmount: tip }),
  });
  await expectCaptured(imported, [(imported.amount + tip).toFixed(2)]);
  return imported;
}

/** Opens the office's only payment. */
export async function openPayment(page: Page, office: Office): Promise<void> {
  await openConsole(page);
  await page.goto(`/office/payments?franchiseId=${office.franchiseId}`);
  await page.getByRole('rowheader').getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Payment of /);
}

export const refundDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Refund', exact: true });

/** The payment's refunds, with the words for their state. */
export const refundRows = (page: Page): Locator =>
  page
    .getByRole('region', { name: 'Refunds' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });

/** Reloads the page until the refund's words appear, since the sweep runs by itself. */
export async function expectRefundState(page: Page, words: string): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(refundRows(page).first()).toContainText(words, { timeout: 2_000 });
  }).toPass(SWEPT);
}

/** Closes an account's batch at the provider: from then on it refunds instead of voiding. */
export async function closeBatch(merchant: string): Promise<void> {
  await callProvider(merchant, '/batches/current/close');
}

/** Somebody refunds part of a payment in the provider's own console. */
export async function refundByHand(
  merchant: string,
  { workOrderNumber }: InvoiceRow,
  amount: string,
): Promise<void> {
  const sale = (await providerLedger()).find(({ invoice }) => invoice === `${workOrderNumber}`);
  await callProvider(merchant, '/transactions', { command: 'refund', trankey: sale?.key, amount });
}

/** Confirms an act as the demo's signed-in person. */
export async function confirmAsDemo(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await dialog.getByRole('button', { name: 'Confirm as the demo' }).click();
  await expect(dialog).toBeHidden();
}

/** Writes a refund of 20.00 that was sent and then proved absent, which would really take a quarter of an hour. */
export async function leaveNotMade({ franchiseId }: Office): Promise<void> {
  await inDatabase(async (client) => {
    await client.query('BEGIN');
    const { rows } = await client.query(NOT_MADE, [franchiseId]);
    await client.query(
      `UPDATE refund SET state = 'sending', method = 'refund', sent_at = engine_now(), deadline_at = engine_now()
        WHERE id = $1`,
      [rows[0].id],
    );
    for (const state of ['unknown', 'not_made']) {
      await client.query('UPDATE refund SET state = $2, next_try_at = NULL WHERE id = $1', [
        rows[0].id,
        state,
      ]);
    }
    await client.query('COMMIT');
  });
}

const NOT_MADE = `
  WITH paid AS (
    SELECT c.id AS charge_id, c.intent_id, a.invoice_id
      FROM payment_share s JOIN charge c ON c.id = s.charge_id JOIN charge_allocation a ON a.charge_id = c.id
     WHERE s.franchise_id = $1),
  asked AS (
    INSERT INTO refund_request (intent_id, actor, idem_key, request_hash, reason, total_cents, needs_approval)
    SELECT intent_id, gen_random_uuid(), 'journey', 'none', 'complaint', 2000, false FROM paid RETURNING id),
  begun AS (
    INSERT INTO refund (request_id, charge_id, amount_cents, mark, state)
    SELECT asked.id, charge_id, 2000, 'r' || left(replace(gen_random_uuid()::text, '-', ''), 23), 'waiting'
      FROM asked, paid RETURNING id, charge_id)
  INSERT INTO refund_line (refund_id, charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                           services_tax_cents, tip_cents, effect, nothing_due)
  SELECT begun.id, begun.charge_id, paid.invoice_id, 1848, 152, 0, 0, 0, 'due-again', false FROM begun, paid
  RETURNING refund_id AS id`;
