import type { FrameLocator, Page } from '@playwright/test';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { inDatabase } from './support/database.ts';
import { type LedgerTransaction, providerLedger, resumeSlowCalls, scriptFault } from './support/emulator.ts';
import { expect } from './support/test.ts';

/** An emulator card that is approved; the README of packages/gateway-emulator lists the others. */
export const GOOD_CARD = '4000100011112224';

let invoicesOfThisWorker = 0;

/** An open invoice with a number that no other test uses, since faults and the provider's ledger go by it. */
export async function importInvoice(office: Office, row: Partial<InvoiceRow> = {}): Promise<InvoiceRow> {
  invoicesOfThisWorker += 1;
  const workOrderNumber = office.franchiseId * 1_000 + invoicesOfThisWorker;
  const [invoice] = await office.importInvoices({ workOrderNumber, ...row });
  return invoice;
}

/** The URL that opens an invoice at once, as in the QR code on its PDF. */
export function addressOf(invoice: InvoiceRow): string {
  const { franchiseId, workOrderNumber, zipCode } = invoice;
  const numbers = { franchiseNumber: `${franchiseId}`, workOrderNumber: `${workOrderNumber}`, zipCode };
  return `/guest-payment?${new URLSearchParams(numbers)}`;
}

export async function openInvoice(page: Page, invoice: InvoiceRow): Promise<void> {
  await page.goto(addressOf(invoice));
  await expect(page.getByRole('heading', { name: `Work Order ${invoice.workOrderNumber}` })).toBeVisible();
}

export async function searchFor(
  page: Page,
  numbers: { franchise: string | number; workOrder: string | number; zip: string },
): Promise<void> {
  await page.getByLabel('Franchise #').fill(`${numbers.franchise}`);
  await page.getByLabel('Work Order #').fill(`${numbers.workOrder}`);
  await page.getByLabel('Zip Code').fill(numbers.zip);
  await page.getByRole('button', { name: 'Find Invoice' }).click();
}

export async function fillBilling(page: Page, { email = '' } = {}): Promise<void> {
  await page.getByLabel('First name').fill('Zoë');
  await page.getByLabel('Last name').fill("O'Brien");
  await page.getByLabel('Street', { exact: true }).fill('12 Juniper Lane');
  await page.getByLabel('City').fill('Austin');
  await page.getByLabel('State').fill('TX');
  await page.getByLabel('Postal code').fill('78701');
  await page.getByLabel('Email').fill(email);
}

export function cardFrame(page: Page): FrameLocator {
  return page.frameLocator('#paymentCardIFrame');
}

/** Until the frame is ready it takes neither focus nor keys, even if its fields are on the screen. */
export async function waitForCardField(page: Page): Promise<void> {
  await expect(page.locator('.card-frame')).toHaveAttribute('data-state', 'ready');
}

export async function fillCard(page: Page, number: string = GOOD_CARD): Promise<void> {
  await waitForCardField(page);
  const frame = cardFrame(page);
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiration').fill('12 / 35');
  await frame.getByLabel('CVV').fill('123');
}

export async function acceptTerms(page: Page): Promise<void> {
  await page.getByLabel(/I accept the terms/).check();
}

/** Fills everything that Pay needs, without pressing it. */
export async function fillAll(page: Page, { email = '', card = GOOD_CARD } = {}): Promise<void> {
  await fillBilling(page, { email });
  await fillCard(page, card);
  await acceptTerms(page);
}

export async function pressPay(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: `Pay ${amount}`, exact: true }).click();
}

export async function expectPaid(page: Page, amount: string): Promise<void> {
  await expect(page).toHaveURL('/guest-payment/success');
  await expect(page.getByRole('heading', { name: 'Payment success' })).toBeVisible();
  await expect(page.getByText('Thanks for paying your invoice.')).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: amount })).toBeVisible();
}

/** Expects the outcome, with the focus on it. */
export async function expectRefused(page: Page, message: string | RegExp): Promise<void> {
  const alert = page.getByRole('alert');
  await expect(alert).toHaveText(message);
  await expect(alert).toBeFocused();
}

export async function expectTypedStays(page: Page): Promise<void> {
  await expect(page.getByLabel('First name')).toHaveValue('Zoë');
  await expect(page.getByLabel('Postal code')).toHaveValue('78701');
  await expect(page.getByLabel(/I accept the terms/)).toBeChecked();
  await expect(cardFrame(page).getByLabel('Expiration')).toHaveValue('12 / 35');
}

/** Waits for the captured amounts of this invoice: captures follow the payer's answer. */
export async function expectCaptured(invoice: InvoiceRow, amounts: string[]): Promise<void> {
  const captured = async () =>
    (await providerRows(invoice))
      .filter((row) => ['L', 'S'].includes(row.trantype_code))
      .map((row) => row.amount);
  await expect.poll(captured, { message: 'captured at the provider' }).toEqual(amounts);
}

/**
 * Makes the provider hold the next payment of this invoice until `goOn`, or until the portal gives up. `claimed` waits until
 * the portal has the payment under way.
 */
export async function holdPayment({
  franchiseId,
  workOrderNumber,
}: InvoiceRow): Promise<{ claimed: () => Promise<void>; goOn: () => Promise<void> }> {
  const invoice = `${workOrderNumber}`;
  await scriptFault({ fault: 'slow', invoice, seconds: 60 });
  const claims = () =>
    inDatabase(async (client) => {
      const { rowCount } = await client.query(
        `SELECT FROM invoice_claim c JOIN invoice i ON i.id = c.invoice_id
          WHERE i.franchise_id = $1 AND i.work_order_number = $2 AND c.state = 'live'`,
        [franchiseId, workOrderNumber],
      );
      return rowCount;
    });
  return {
    claimed: () => expect.poll(claims, { message: 'payments under way' }).toBe(1),
    goOn: () => resumeSlowCalls(invoice),
  };
}

async function providerRows(invoice: InvoiceRow): Promise<LedgerTransaction[]> {
  const ledger = await providerLedger();
  return ledger.filter((row) => row.invoice === `${invoice.workOrderNumber}`);
}
