import type { Page } from '@playwright/test';
import { expectPaid, fillAll, importInvoice, openInvoice, pressPay } from './guest-payment-steps.ts';
import { payByCall } from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { expectToldWhere, openConsole } from './support/console/console.ts';
import { expectGood } from './support/console/console-states.ts';
import type { Office } from './support/console/office.ts';
import { heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { zoneByDay } from './support/zones.ts';

const PHONE = { width: 390, height: 844 };

/** A guest's payment with a receipt. */
async function payInvoice(page: Page, office: Office) {
  const { franchiseId } = office;
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
  office,
  openWindow,
}) => {
  const { franchiseId } = office;
  const invoice = await payInvoice(page, office);
  const desk = await openWindow();
  await openConsole(desk);
  await desk.goto(`/office/payments?franchiseId=${franchiseId}`);
  await expect(heading(desk)).toHaveText('Payments');
  await expect(desk.getByRole('status', { name: 'Totals' })).toHaveText(
    '1 payment · $108.25 in · $0.00 back · $108.25 net · $0.00 of it tips',
  );

  await desk.getByLabel('Search').fill('2224 about $110 today');
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('about $110.00')).toBeVisible();
  const rows = desk.getByRole('table', { name: 'Payments' }).getByRole('rowheader');
  await expect(rows).toHaveText([`Quill ${franchiseId}`]);
  await expectGood(desk, 'payments');

  await rows.getByRole('link').click();
  await expect(heading(desk)).toHaveText('Payment of $108.25');
  await expect(desk.getByText(/^Paid(\.|,)/)).toBeVisible();
  await expect(desk.getByRole('table', { name: 'What was paid' })).toContainText(
    String(invoice.workOrderNumber),
  );
  await expectGood(desk, 'payment');

  await desk.getByRole('button', { name: 'Send receipt' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Send receipt' });
  await expect(dialog.getByLabel('Email')).toHaveValue(`payer${franchiseId}@example.com`);
  await expectGood(desk, 'send-receipt');
  await dialog.getByRole('button', { name: 'Send receipt' }).click();
  await expect(dialog).toBeHidden();
  const said = desk.getByText(`The receipt goes to payer${franchiseId}@example.com.`);
  await expect(said).toBeVisible();
  await expectGood(desk, 'receipt-sent');
  const mail = desk.getByRole('region', { name: 'Mail' });
  await expect(mail.getByText('Receipt').first()).toBeVisible();

  await desk.getByLabel('Note', { exact: true }).fill('She called about it.');
  await desk.getByRole('button', { name: 'Add note' }).click();
  await expect(said).toHaveCount(0);
  await expect(desk.getByRole('region', { name: 'Notes' }).getByRole('listitem')).toContainText([
    'She called about it.',
  ]);
});

test('what an act has done is said once its dialog has closed, and is not printed', async ({
  page,
  office,
  request,
}) => {
  await payByCall(request, await importInvoice(office), { email: 'payer@example.com' });
  await openConsole(page);
  await page.goto(`/office/payments?franchiseId=${office.franchiseId}`);
  await page.getByRole('table', { name: 'Payments' }).getByRole('rowheader').getByRole('link').click();
  await page.getByRole('button', { name: 'Send receipt' }).click();
  const notice = page.locator('main > p[aria-live="polite"]');
  // While a dialog is open, screen readers read nothing of what is behind it.
  await notice.evaluate((region) => {
    const isSaid = () => region.textContent !== '';
    const note = () => {
      if (isSaid()) region.dataset.behindDialog ??= String(document.querySelector('dialog:modal') !== null);
    };
    new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
    document.addEventListener('close', () => (region.dataset.saidAtClose ??= String(isSaid())), true);
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Send receipt' }).click();
  await expect(notice).toHaveText('The receipt goes to payer@example.com.');
  await expect(notice).toHaveAttribute('data-behind-dialog', 'false');
  await expect(notice).toHaveAttribute('data-said-at-close', 'false');
  await page.emulateMedia({ media: 'print' });
  await expect(notice).toBeHidden();
});

test('by keyboard alone: to the search, into the rows, open, and back', async ({
  page,
  office,
  openWindow,
}) => {
  const { franchiseId } = office;
  await payInvoice(page, office);
  const desk = await openWindow();
  await openConsole(desk);
  await desk.goto(`/office/payments?franchiseId=${franchiseId}`);
  await expect(desk.getByRole('rowheader')).toHaveText([`Quill ${franchiseId}`]);
  await desk.keyboard.press('/');
  await expect(desk.getByLabel('Search')).toBeFocused();
  await desk.keyboard.type('quill yesterday');
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('Nothing matches.')).toBeVisible();
  await desk.getByLabel('Search').fill('today yesterday');
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('Use one date.')).toBeVisible();
  await desk.getByLabel('Search').fill('visa');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('rowheader')).toHaveText([`Quill ${franchiseId}`]);
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(heading(desk)).toHaveText('Payment of $108.25');
  await expectToldWhere(desk);

  // Escape closes what is open, then goes back to the opened row; unsent input keeps the page.
  await desk.getByRole('button', { name: 'Send receipt' }).focus();
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog', { name: 'Send receipt' })).toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('dialog', { name: 'Send receipt' })).toBeHidden();
  await expect(desk.getByRole('button', { name: 'Send receipt' })).toBeFocused();
  await desk.getByLabel('Note', { exact: true }).focus();
  await desk.keyboard.type('She called');
  await desk.keyboard.press('Tab');
  await desk.keyboard.press('Escape');
  await expect(desk.getByLabel('Note', { exact: true })).toHaveValue('She called');
  await desk.getByLabel('Note', { exact: true }).fill('');
  await desk.getByRole('button', { name: 'Send receipt' }).focus();
  await desk.keyboard.press('Escape');
  await expect(heading(desk)).toHaveText('Payments');
  await expect(desk.getByLabel('Search')).toHaveValue('visa');
  await expect(desk.getByRole('rowheader').getByRole('link')).toBeFocused();
});

test('a page that was opened by its address goes back to its list', async ({ page, office }) => {
  const [invoice] = await office.importInvoices({});
  await openConsole(page);
  await page.goto(`/office/invoices/${office.franchiseId}/${invoice.workOrderNumber}`);
  await expect(heading(page)).toHaveText(`Work order ${invoice.workOrderNumber}`);
  await page.keyboard.press('Escape');
  await expect(heading(page)).toHaveText('Invoices');
});

test('on a phone: cards, folded filters, and the main act at the foot', async ({
  page,
  office,
  openWindow,
}) => {
  const { franchiseId } = office;
  await payInvoice(page, office);
  const desk = await openWindow();
  await desk.setViewportSize(PHONE);
  await openConsole(desk);
  await desk.goto(`/office/payments?franchiseId=${franchiseId}`);
  const card = desk.getByRole('group', { name: `Quill ${franchiseId}` });
  await expect(card).toContainText('$108.25');
  await desk.getByRole('button', { name: 'Filters' }).click();
  await desk.getByLabel('State').selectOption('declined');
  await expect(desk.getByText('Nothing matches.')).toBeVisible();
  await desk.getByRole('link', { name: 'Clear filters' }).click();
  // What the list says above its cards moves them.
  await expect(desk.getByText('1 payment · ')).toBeVisible();
  await card.getByRole('link').click();
  await expect(heading(desk)).toHaveText('Payment of $108.25');
  await desk.getByRole('button', { name: 'Send receipt' }).click();
  await expect(desk.getByRole('dialog', { name: 'Send receipt' })).toBeVisible();
  await expectAccessible(desk);
});
