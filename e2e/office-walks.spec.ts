import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectPaid, fillAll, importInvoice, openInvoice, pressPay } from './guest-payment-steps.ts';
import { makeCustomer } from './portal-steps.ts';
import { letEchoesPass } from './press-steps.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { enrolStaff, openScreen } from './support/console/staff.ts';
import { inDatabase } from './support/database.ts';
import { handsOf, type Way } from './support/hands.ts';
import { type Person, signIn } from './support/people.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { zoneByDay } from './support/zones.ts';

// Whole walks: two payments, three people and a dozen screens each.
test.describe.configure({ timeout: 150_000 });

async function pay(payer: Page, invoice: InvoiceRow, amount: string, email: string): Promise<void> {
  await openInvoice(payer, invoice);
  await fillAll(payer, { email });
  await pressPay(payer, amount);
  await expectPaid(payer, amount);
}

/** As if she had never opened the mail that confirms her address. */
async function forgetConfirmation({ email }: Person): Promise<void> {
  await inDatabase((client) =>
    client.query('UPDATE app_user SET email_confirmed_at = NULL WHERE email = $1', [email]),
  );
}

/** Imports a wrong amount with the nightly file. */
async function importWrongly(office: Office, invoice: InvoiceRow): Promise<InvoiceRow> {
  const [wrong] = await office.importInvoices({ ...invoice, amount: 308.25 });
  return wrong;
}

function mondayAtAnOffice(way: Way): void {
  test(`a Monday at an office, by ${way}`, async ({ page, office, openWindow, request }) => {
    const paid = await importInvoice(office, { customerName: 'Quentin Marsh', timeZone: zoneByDay() });
    const payer = await openWindow();
    const email = `payer${office.franchiseId}@example.com`;
    await pay(payer, paid, '$108.25', email);
    const stranger = await makeCustomer(request, { invoices: [paid] });
    const unconfirmed = await makeCustomer(request, { invoices: [paid] });
    await forgetConfirmation(unconfirmed);
    const { app } = await enrolStaff(page, office);
    const hands = handsOf(page, way);
    const goTo = async (screen: string) => {
      if (way === 'finger') await hands.press(page.getByRole('button', { name: 'Menu' }));
      const place = way === 'finger' ? page.getByRole('dialog', { name: 'Menu' }) : page;
      await hands.press(place.getByRole('link', { name: screen, exact: true }));
      await expect(heading(page)).toHaveText(screen === 'Import' ? 'Import invoices' : screen);
    };

    // "Did my payment of about $110 arrive?"
    await openScreen(page, '/office/', 'Payments');
    await hands.write(page.getByLabel('Search'), '2224 about $110 today');
    await page.keyboard.press('Enter');
    // Wait: the results replace the list, and would move away under a finger.
    await expect(page.getByRole('list', { name: 'Read as' })).toBeVisible();
    await hands.press(page.getByRole('link', { name: 'Quentin Marsh' }));
    await expect(heading(page)).toHaveText('Payment of $108.25');
    await expect(page.getByText(/^Paid(\.|,)/)).toBeVisible();
    await hands.press(page.getByRole('button', { name: 'Send receipt' }));
    const receipt = page.getByRole('dialog', { name: 'Send receipt' });
    await hands.press(receipt.getByRole('button', { name: 'Send receipt' }));
    await expect(receipt).toBeHidden();
    await expect(page.getByRole('region', { name: 'Mail' }).getByRole('listitem')).toHaveCount(2);

    // "I cannot sign in."
    await hands.press(page.getByRole('link', { name: 'Quentin Marsh' }).first());
    await expect(heading(page)).toHaveText('Quentin Marsh');
    const people = page.getByRole('region', { name: 'People' });
    const hers = people.getByRole('listitem').filter({ hasText: unconfirmed.email });
    await expect(hers).toContainText('not confirmed');
    await hands.press(hers.locator('summary'));
    await hands.press(hers.getByRole('button', { name: 'Resend confirmation' }));
    await expect(hers.getByRole('status')).toHaveText(`The mail to ${unconfirmed.email} is on its way.`);

    // "I see somebody else's address."
    const theirs = people.getByRole('listitem').filter({ hasText: stranger.email });
    await hands.press(theirs.locator('summary'));
    await hands.press(theirs.getByRole('button', { name: 'End access' }));
    const ending = page.getByRole('dialog', { name: 'End access of Rosa Delgado' });
    await expect(ending.getByText('can still add its location')).toBeVisible();
    // A second tap on the same spot would be a double tap, which belongs to what was hit first.
    if (way === 'finger') await hands.press(ending.getByRole('heading'));
    await hands.press(ending.getByRole('button', { name: 'End access' }));
    await expect(theirs).toHaveCount(0);
    await expect(hers).toBeVisible();
    const theirWindow = await openWindow();
    await signIn(theirWindow, stranger);
    await expect(theirWindow.getByRole('heading', { name: 'Add your first location' })).toBeVisible();

    // The nightly file was wrong, and somebody paid its amount.
    const right = await importInvoice(office, { amount: 208.25, customerName: 'Quentin Marsh' });
    await pay(payer, await importWrongly(office, right), '$308.25', email);
    await goTo('Import');
    await hands.press(page.locator('summary').filter({ hasText: 'Details' }).first());
    await hands.press(page.getByText('One change, field by field'));
    await expect(page.getByText('$308.25', { exact: true })).toBeVisible();
    const download = page.waitForEvent('download');
    await hands.press(page.getByRole('button', { name: 'Download the undo file' }));
    await hands.write(
      page.getByRole('dialog', { name: 'Confirm it is you' }).getByLabel('Code'),
      app.nextCode(),
    );
    const undo = await readFile(await (await download).path());
    const chooser = page.waitForEvent('filechooser');
    await hands.press(page.getByRole('button', { name: 'Choose a file' }));
    await (await chooser).setFiles({ name: 'undo.csv', mimeType: 'text/csv', buffer: undo });
    await expect(page.getByText(`Work order ${right.workOrderNumber} by $100.00`)).toBeVisible();
    await hands.press(page.getByRole('button', { name: 'Import 1 invoice' }));
    await expect(page.getByText('Imported undo.csv: 0 created, 1 updated, 0 unchanged.')).toBeVisible();
    await goTo('Invoices');
    await hands.write(page.getByLabel('Search'), `wo ${right.workOrderNumber}`);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('list', { name: 'Read as' })).toBeVisible();
    await hands.press(page.getByRole('link', { name: String(right.workOrderNumber), exact: true }));
    await expect(heading(page)).toHaveText(`Work order ${right.workOrderNumber}`);
    await expect(page.getByText('Overpaid', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('$100.00').first()).toBeVisible();
  });
}

function exportWithFactor(way: Way): void {
  test(`an export holds what the totals say, and goes with a second factor only, by ${way}`, async ({
    page,
    office,
    openWindow,
  }) => {
    const payer = await openWindow();
    const hands = handsOf(page, way);
    for (const amount of [108.25, 58.25]) {
      const invoice = await importInvoice(office, { amount });
      await pay(payer, invoice, `$${amount}`, 'payer@example.com');
    }
    const { app } = await enrolStaff(page, office, { role: 'owner' });
    await openScreen(page, '/office/payments', 'Payments');
    await expect(page.getByRole('status', { name: 'Totals' })).toContainText('2 payments · $166.50 in');
    const downloads: string[] = [];
    page.on('download', (download) => downloads.push(download.suggestedFilename()));
    const exporting = page.getByRole('button', { name: 'Export CSV' });
    const confirm = page.getByRole('dialog', { name: 'Confirm it is you' });
    await hands.press(exporting);
    await expect(confirm.getByText('Export payments')).toBeVisible();
    await hands.press(confirm.getByRole('button', { name: 'Cancel' }));
    await expect(confirm).toBeHidden();
    await expect(exporting).toBeFocused();
    expect(downloads).toEqual([]);
    // No person presses again this soon: by finger and by key it would be an echo.
    await letEchoesPass(page);
    await hands.press(exporting);
    const download = page.waitForEvent('download');
    await hands.write(confirm.getByLabel('Code'), app.nextCode());
    const file = await download;
    expect(downloads).toEqual([file.suggestedFilename()]);
    expect(file.suggestedFilename()).toContain(`payments-${office.franchiseId}`);
    const [head = '', ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    const net = head.split(',').indexOf('net');
    expect(lines.map((line) => Number(line.split(',')[net])).toSorted()).toEqual([108.25, 58.25]);
  });
}

for (const way of ['mouse', 'keyboard'] as const) {
  mondayAtAnOffice(way);
  exportWithFactor(way);
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });
  mondayAtAnOffice('finger');
  exportWithFactor('finger');
});
