import type { Page } from '@playwright/test';
import { expectPaid, fillAll, importInvoice, openInvoice, pressPay } from './guest-payment-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { HENRY, openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import { Office } from './support/console/office.ts';
import { systemUnderTest } from './support/system.ts';
import { expect, test } from './support/test.ts';
import { zoneByDay } from './support/zones.ts';

const PHONE = { width: 390, height: 844 };
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** A guest's payment with a receipt, at an office that no other test uses. */
async function payInvoice(page: Page, franchiseId: number) {
  const office = new Office(systemUnderTest(), franchiseId);
  const invoice = await importInvoice(office, {
    customerName: `Quill ${franchiseId}`,
    timeZone: zoneByDay(),
  });
  await openInvoice(page, invoice);
  await fillAll(page, { email: `payer${franchiseId}@example.com` });
  await pressPay(page, '$108.25');
  await expectPaid(page, '$108.25');
  return invoice;
}

test('a caller asks about a payment: it is found from one field, and its receipt is sent again', async ({
  page,
  openWindow,
}) => {
  const franchiseId = 7_401;
  const invoice = await payInvoice(page, franchiseId);
  const office = await openWindow();
  await openConsole(office, HENRY);
  await office.goto(`/office/payments?franchiseId=${franchiseId}`);
  await expect(heading(office)).toHaveText('Payments');
  await expect(office.getByRole('status', { name: 'Totals' })).toHaveText(
    '1 payment · $108.25 in · $0.00 back · $108.25 net · $0.00 of it tips',
  );

  await office.getByLabel('Search').fill('2224 about $110 today');
  await office.keyboard.press('Enter');
  await expect(office.getByText('about $110.00')).toBeVisible();
  const rows = office.getByRole('table', { name: 'Payments' }).getByRole('rowheader');
  await expect(rows).toHaveText([`Quill ${franchiseId}`]);
  await expectGood(office, 'payments');

  await rows.getByRole('link').click();
  await expect(heading(office)).toHaveText('Payment of $108.25');
  await expect(office.getByText(/^Paid(\.|,)/)).toBeVisible();
  await expect(office.getByRole('table', { name: 'What was paid' })).toContainText(
    String(invoice.workOrderNumber),
  );
  await expectGood(office, 'payment');

  await office.getByRole('button', { name: 'Send receipt' }).click();
  const dialog = office.getByRole('dialog', { name: 'Send receipt' });
  await expect(dialog.getByLabel('Email')).toHaveValue(`payer${franchiseId}@example.com`);
  await expectGood(office, 'send-receipt');
  await dialog.getByRole('button', { name: 'Send receipt' }).click();
  await expect(dialog).toBeHidden();
  const mail = office.getByRole('region', { name: 'Mail' });
  await expect(mail.getByText('Receipt').first()).toBeVisible();

  await office.getByLabel('Note', { exact: true }).fill('She called about it.');
  await office.getByRole('button', { name: 'Add note' }).click();
  await expect(office.getByRole('region', { name: 'Notes' }).getByRole('listitem')).toContainText([
    'She called about it.',
  ]);
});

test('by keyboard alone: to the search, into the rows, open, and back', async ({ page, openWindow }) => {
  const franchiseId = 7_402;
  await payInvoice(page, franchiseId);
  const office = await openWindow();
  await openConsole(office, HENRY);
  await office.goto(`/office/payments?franchiseId=${franchiseId}`);
  await expect(office.getByRole('rowheader')).toHaveText([`Quill ${franchiseId}`]);
  await office.keyboard.press('/');
  await expect(office.getByLabel('Search')).toBeFocused();
  await office.keyboard.type('quill yesterday');
  await office.keyboard.press('Enter');
  await expect(office.getByText('Nothing matches.')).toBeVisible();
  await office.getByLabel('Search').fill('today yesterday');
  await office.keyboard.press('Enter');
  await expect(office.getByText('Use one date.')).toBeVisible();
  await office.getByLabel('Search').fill('visa');
  await office.keyboard.press('Enter');
  await expect(office.getByRole('rowheader')).toHaveText([`Quill ${franchiseId}`]);
  await office.keyboard.press('ArrowDown');
  await office.keyboard.press('Enter');
  await expect(heading(office)).toHaveText('Payment of $108.25');

  // Escape closes what is open, then goes back to the opened row; unsent input keeps the page.
  await office.getByRole('button', { name: 'Send receipt' }).focus();
  await office.keyboard.press('Enter');
  await expect(office.getByRole('dialog', { name: 'Send receipt' })).toBeVisible();
  await office.keyboard.press('Escape');
  await expect(office.getByRole('dialog', { name: 'Send receipt' })).toBeHidden();
  await expect(office.getByRole('button', { name: 'Send receipt' })).toBeFocused();
  await office.getByLabel('Note', { exact: true }).focus();
  await office.keyboard.type('She called');
  await office.keyboard.press('Tab');
  await office.keyboard.press('Escape');
  await expect(office.getByLabel('Note', { exact: true })).toHaveValue('She called');
  await office.getByLabel('Note', { exact: true }).fill('');
  await office.getByRole('button', { name: 'Send receipt' }).focus();
  await office.keyboard.press('Escape');
  await expect(heading(office)).toHaveText('Payments');
  await expect(office.getByLabel('Search')).toHaveValue('visa');
  await expect(office.getByRole('rowheader').getByRole('link')).toBeFocused();
});

test('a page that was opened by its address goes back to its list', async ({ page, office }) => {
  const [invoice] = await office.importInvoices({});
  await openConsole(page, HENRY);
  await page.goto(`/office/invoices/${office.franchiseId}/${invoice.workOrderNumber}`);
  await expect(heading(page)).toHaveText(`Work order ${invoice.workOrderNumber}`);
  await page.keyboard.press('Escape');
  await expect(heading(page)).toHaveText('Invoices');
});

test('on a phone: cards, folded filters, and the main act at the foot', async ({ page, openWindow }) => {
  const franchiseId = 7_403;
  await payInvoice(page, franchiseId);
  const office = await openWindow();
  await office.setViewportSize(PHONE);
  await openConsole(office, HENRY);
  await office.goto(`/office/payments?franchiseId=${franchiseId}`);
  const card = office.getByRole('group', { name: `Quill ${franchiseId}` });
  await expect(card).toContainText('$108.25');
  await office.getByRole('button', { name: 'Filters' }).click();
  await office.getByLabel('State').selectOption('declined');
  await expect(office.getByText('Nothing matches.')).toBeVisible();
  await office.getByRole('link', { name: 'Clear filters' }).click();
  await card.getByRole('link').click();
  await expect(heading(office)).toHaveText('Payment of $108.25');
  await office.getByRole('button', { name: 'Send receipt' }).click();
  await expect(office.getByRole('dialog', { name: 'Send receipt' })).toBeVisible();
  await expectAccessible(office);
});
