import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expectCaptured, importInvoice } from './guest-payment-steps.ts';
import { giveMerchantAccount, payByCall } from './portal-steps.ts';
import { expectToldWhere, openConsole } from './support/console/console.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { inDatabase } from './support/database.ts';
import { callProvider, providerLedger } from './support/emulator.ts';
import { heading } from './support/screens.ts';
import { expect } from './support/test.ts';

export const VOIDED = 'Charge voided. It disappears from the statement.';
export const REFUNDED = 'Refunded. Banks show it in 5 to 10 business days.';

/**
 * A refund's outcome shows after a sweep. All journeys of a run share the account's budget of listings; when it is used
 * up, the next sweep comes a minute later.
 */
export const SWEPT = { timeout: 150_000 };

/** A collected payment of one invoice; a merchant account other than the portal's becomes the office's own. */
export async function payCollected(
  request: APIRequestContext,
  office: Office,
  {
    card,
    email,
    invoice = {},
    merchant,
    tip = 0,
  }: { card?: string; email?: string; invoice?: Partial<InvoiceRow>; merchant?: string; tip?: number } = {},
): Promise<InvoiceRow> {
  const imported = await importInvoice(office, { customerName: `Quill ${office.franchiseId}`, ...invoice });
  if (merchant !== undefined) await giveMerchantAccount(office, merchant);
  await payByCall(request, imported, {
    ...(card !== undefined && { card }),
    ...(email !== undefined && { email }),
    ...(merchant !== undefined && { merchant }),
    ...(tip > 0 && { tipAmount: tip }),
  });
  await expectCaptured(imported, [(imported.amount + tip).toFixed(2)]);
  await expectBooked(office);
  return imported;
}

/** Waits for our books, which follow the provider's by a moment. */
async function expectBooked({ franchiseId }: Office): Promise<void> {
  const states = () =>
    inDatabase(async (client) => {
      const { rows } = await client.query<{ state: string }>(
        `SELECT DISTINCT c.state FROM payment_share s JOIN charge c ON c.id = s.charge_id WHERE s.franchise_id = $1`,
        [franchiseId],
      );
      return rows.map(({ state }) => state);
    });
  await expect.poll(states, { message: 'states of the charges' }).toEqual(['captured']);
}

/** Opens the office's only payment. */
export async function openPayment(page: Page, office: Office): Promise<void> {
  await openConsole(page);
  await page.goto(`/office/payments?franchiseId=${office.franchiseId}`);
  await page.getByRole('rowheader').getByRole('link').first().click();
  await expect(heading(page)).toHaveText(/^Payment of /);
  await expectToldWhere(page);
}

export const refundDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Refund', exact: true });

/** The payment's refunds, with the words for their state. */
export const refundRows = (page: Page): Locator =>
  page
    .getByRole('region', { name: 'Refunds' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });

/** Reloads the page until the newest refund's words appear, since the sweep runs by itself. */
export async function expectRefundState(
  page: Page,
  words: string | RegExp,
  shown: Locator = refundRows(page).first(),
): Promise<void> {
  const read = async () => {
    await page.reload();
    return shown.textContent();
  };
  await expect.poll(read, { message: 'what became of the refund', ...SWEPT }).toMatch(words);
}

/** Closes an account's batch at the provider: from then on it refunds instead of voiding. */
export async function closeBatch(merchant: string): Promise<void> {
  await callProvider(merchant, '/batches/current/close').catch((error: Error) => {
    // Another journey on this account has closed it since, with our sale in it.
    if (!error.message.includes('answered 404')) throw error;
  });
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

/** Somebody voids a payment's refund in the provider's own console. */
export async function voidRefundByHand(merchant: string, { workOrderNumber }: InvoiceRow): Promise<void> {
  const refund = (await providerLedger()).find(
    ({ invoice, trantype_code: type }) => invoice === `${workOrderNumber}` && type === 'C',
  );
  await callProvider(merchant, '/transactions', { command: 'void', trankey: refund?.key });
}

/** Confirms an act as the demo's signed-in person. */
export async function confirmAsDemo(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await dialog.getByRole('button', { name: 'Confirm as the demo' }).click();
  await expect(dialog).toBeHidden();
}
