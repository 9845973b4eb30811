import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { acceptTerms, expectCaptured, GOOD_CARD, openInvoice } from './guest-payment-steps.ts';
import { choose, importInvoices, openDashboard, payButton, workOrder } from './portal-steps.ts';
import { SWEPT } from './refund-steps.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { mailsTo, readMail } from './support/mailbox.ts';
import { expect, test } from './support/test.ts';

// Room for SWEPT.
test.describe.configure({ timeout: 360_000 });

type Listed = { items: { paymentId: string; state: string; refundId: string }[] };

/** The office refunds all of its only payment; waits until the provider's record shows it. */
async function refund(
  office: Office,
  { franchiseId, workOrderNumber }: InvoiceRow,
  effect: 'due-again' | 'credited',
): Promise<void> {
  const { items } = (await office.send('GET', `/office/payments?franchiseId=${franchiseId}`)) as Listed;
  await office.send(
    'POST',
    `/office/payments/${items[0]?.paymentId}/refunds`,
    { reason: 'complaint', lines: [{ franchiseId, workOrderNumber, effect }] },
    { 'idempotency-key': randomUUID() },
  );
  await expect
    .poll(async () => {
      const refunds = (await office.send('GET', `/office/refunds?franchiseId=${franchiseId}`)) as Listed;
      return refunds.items.map(({ state }) => state);
    }, SWEPT)
    .toEqual(['made']);
}

async function payAndOpenReceipt(page: Page, invoice: InvoiceRow): Promise<void> {
  await choose(page, invoice);
  await acceptTerms(page);
  await payButton(page, '$108.25').click();
  await page.getByRole('link', { name: 'See receipt' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Receipt' })).toBeVisible();
  await expectCaptured(invoice, ['108.25']);
}

/** A fact by its label. */
const fact = (page: Page, label: string | RegExp) =>
  page.locator('dl.summary > div').filter({ has: page.locator('dt', { hasText: label }) });

test('money that went back is in the list, on the receipt and the statement, in one mail and whoever looks the invoice up', async ({
  page,
  request,
  office,
  openWindow,
}) => {
  const [invoice] = (await importInvoices(office, {})) as [InvoiceRow];
  const customer = await openDashboard(page, request, { invoices: [invoice], cards: [GOOD_CARD] });
  await payAndOpenReceipt(page, invoice);
  const receipt = page.url();
  await expect(page.getByText(/refund/i)).toHaveCount(0);
  await refund(office, invoice, 'due-again');

  await test.step('the list', async () => {
    await page.goto('/payments');
    await expect(page.getByRole('row', { name: 'You' })).toContainText('$108.25 refunded');
    await expectGoodScreen(page, 'payments-refunded');
  });

  await test.step('the receipt', async () => {
    await page.goto(receipt);
    await expect(fact(page, /^Refunded \w{3} \d+, \d{4}$/)).toContainText('$108.25');
    await expect(fact(page, 'Net total')).toContainText('$0.00');
    await expectGoodScreen(page, 'receipt-refunded');
  });

  await test.step('the statement and its file', async () => {
    await page.goto('/payments');
    await page.getByRole('link', { name: 'Statement' }).click();
    await expect(page.getByRole('row', { name: 'All together $108.25 $0.00 $108.25' })).toBeVisible();
    await expectGoodScreen(page, 'statement-refunded');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const [, row] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n');
    expect(row).toMatch(/,108\.25,108\.25$/);
  });

  await test.step('the invoice is due again', async () => {
    await page.goto('/invoices');
    await expect(workOrder(page, invoice)).toBeVisible();
  });

  await test.step('the look-up of a guest', async () => {
    const guest = await openWindow();
    await openInvoice(guest, invoice);
    const history = guest.getByRole('region', { name: 'Payment history' });
    await expect(history.getByRole('row').filter({ hasText: 'Refund' })).toContainText('-$108.25');
    await expect(guest.getByRole('button', { name: 'Pay $108.25' })).toBeVisible();
    await expectGoodScreen(guest, 'look-up-refunded');
  });

  await test.step('one mail', async () => {
    const mail = await readMail({ to: customer.email, subject: 'Your refund of $108.25' });
    expect(mail.text).toContain(`$108.25 is due again on work order ${invoice.workOrderNumber}`);
    const refunds = (await mailsTo(customer.email)).filter(({ subject }) => /refund/i.test(subject));
    expect(refunds).toHaveLength(1);
  });
});

test('an invoice that was credited stays paid, with the refund in the history of its location', async ({
  page,
  request,
  office,
}) => {
  const [invoice] = (await importInvoices(office, {})) as [InvoiceRow];
  await openDashboard(page, request, { invoices: [invoice], cards: [GOOD_CARD] });
  await payAndOpenReceipt(page, invoice);
  await refund(office, invoice, 'credited');
  await page.goto('/invoices');
  await page.getByRole('link', { name: /^Home/ }).click();
  const history = page.getByRole('region', { name: 'Payment history' });
  await expect(history.getByRole('row').filter({ hasText: 'Refund' })).toContainText('-$108.25');
  await expect(history.getByRole('row').filter({ hasText: 'Card' })).toContainText('$108.25');
  await expectGoodScreen(page, 'location-refunded');
});
