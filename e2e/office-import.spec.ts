import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { CONSOLE_WIDTHS, openConsole } from './support/console.ts';
import type { InvoiceRow } from './support/office.ts';
import { expectFits } from './support/screens.ts';
import { expect, test } from './support/test.ts';

async function expectGood(page: Page, name: string): Promise<void> {
  await expectFits(page, `office-${name}`, CONSOLE_WIDTHS);
  await expectAccessible(page);
}

/** The rows as a file that an office's own program writes. */
function fileOf(rows: InvoiceRow[], name = 'invoices.csv') {
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

async function choose(page: Page, file: ReturnType<typeof fileOf>): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles(file);
}

test('a file is checked, imported and found in the history', async ({ page, office }) => {
  const [row] = await office.importInvoices({});
  await openConsole(page);
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Import' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Import invoices' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
  await expectGood(page, 'import');

  const changed = { ...row, amount: 308.25, paidElsewhere: 400 };
  const created = { ...row, workOrderNumber: row.workOrderNumber + 1, timeZone: 'America/Denver' };
  await choose(page, fileOf([{ ...changed, timeZone: 'America/Denver' }, created], 'monday.csv'));
  await expect(page.getByRole('heading', { name: 'What changes' })).toBeVisible();
  await expect(page.getByText('monday.csv: 1 created, 1 updated, 0 unchanged.')).toBeVisible();
  await expect(page.getByText('Days in all reports move.')).toBeVisible();
  await expect(page.getByText(`Work order ${row.workOrderNumber} by $91.75`)).toBeVisible();
  await page.getByText('The 2 largest changes, field by field').click();
  await expectGood(page, 'import-checked');

  await page.getByRole('button', { name: 'Import 2 invoices' }).click();
  await expect(page.getByText('Imported monday.csv: 1 created, 1 updated, 0 unchanged.')).toBeVisible();
  await expectGood(page, 'import-done');
  const history = page.getByRole('table', { name: 'History' });
  await expect(history.getByRole('row').filter({ hasText: 'monday.csv' }).first()).toContainText('Imported');
});

test('a file with faults names them line by line, and nothing of it is imported', async ({
  page,
  office,
}) => {
  const [row] = await office.importInvoices({});
  await openConsole(page);
  await page.goto('/office/import');
  await choose(page, fileOf([row, { ...row, amount: -5 }, { ...row, dueDate: 'soon' }]));
  await expect(page.getByText('Nothing can be imported: 2 lines are wrong.')).toBeVisible();
  const faults = page.getByRole('table', { name: 'Faults' });
  await expect(faults.getByRole('row').nth(1)).toContainText('amount');
  await expect(faults.getByRole('row').nth(2)).toContainText('must be a date such as 2026-11-30');
  await expectGood(page, 'import-faults');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the faults' }).click();
  expect((await readFile(await (await download).path())).toString()).toContain('line,column,value,rule');
});

test('with the keyboard alone a file is chosen, checked and imported', async ({ page, office }) => {
  const [row] = await office.importInvoices({});
  await openConsole(page);
  await page.goto('/office/import');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).focus();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(fileOf([{ ...row, amount: 118.25 }]));
  const button = page.getByRole('button', { name: 'Import 1 invoice' });
  await expect(button).toBeVisible();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('0 created, 1 updated, 0 unchanged.').first()).toBeFocused();
});
