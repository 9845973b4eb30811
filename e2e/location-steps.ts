import type { Page } from '@playwright/test';
import type { InvoiceRow } from './support/console/office.ts';
import { expect } from './support/test.ts';

/** An invoice's three numbers, as somebody would type them. */
export function numbersOf({ franchiseId, workOrderNumber, zipCode }: InvoiceRow) {
  return { franchise: `${franchiseId}`, workOrder: `${workOrderNumber}`, zip: zipCode };
}

export type Numbers = ReturnType<typeof numbersOf>;

/** Fills and sends the form of `/locations/add`. */
export async function submitNumbers(page: Page, { franchise, workOrder, zip }: Numbers): Promise<void> {
  await page.getByLabel('Franchise #').fill(franchise);
  await page.getByLabel('Work Order #').fill(workOrder);
  await page.getByLabel('Zip Code').fill(zip);
  await page.getByRole('button', { name: 'Add Location' }).click();
}

/** Adds the invoice's location to the signed-in person's account, through the screen. */
export async function addLocation(page: Page, invoice: InvoiceRow): Promise<void> {
  await page.goto('/locations/add');
  await submitNumbers(page, numbersOf(invoice));
  await expect(page).toHaveURL('/invoices');
  await expect(page.getByRole('status').filter({ hasText: 'Location added' })).toBeVisible();
}
