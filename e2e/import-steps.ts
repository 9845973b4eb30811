import type { Page } from '@playwright/test';
import type { InvoiceRow } from './support/console/office.ts';

/** The rows as a file from an office's own program. */
export function fileOf(rows: InvoiceRow[], name = 'invoices.csv') {
  const [first] = rows;
  if (!first) throw new Error('a file has rows');
  const lines = [Object.keys(order(first)), ...rows.map((row) => Object.values(order(row)).map(String))];
  const text = lines.map((line) => line.join(',')).join('\n');
  return { name, mimeType: 'text/csv', buffer: Buffer.from(`${text}\n`) };
}

const order = ({ franchiseId, workOrderNumber, ...row }: InvoiceRow) => {
  const { franchiseName, timeZone, customerNumber, customerName, customerEmail, locationId, ...rest } = row;
  const { description, addressLine1, city, state, zipCode, ...work } = rest;
  return {
    ...{ franchiseId, franchiseName, timeZone, customerNumber, customerName, customerEmail, locationId },
    ...{ description, addressLine1, city, state, zipCode, workOrderNumber },
    ...work,
  };
};

/** Chooses a file, or the one at a path, on the import screen, which checks it. */
export async function choose(page: Page, file: ReturnType<typeof fileOf> | string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles(file);
}
