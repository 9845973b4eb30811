import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { acceptTerms, addressOf, GOOD_CARD } from './guest-payment-steps.ts';
import {
  choose,
  holdCall,
  importInvoices,
  linkLocation,
  makeCustomer,
  openDashboard,
  payButton,
  workOrder,
} from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import type { InvoiceRow } from './support/console/office.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { readMail } from './support/mailbox.ts';
import { signIn } from './support/people.ts';
import { heading, picturesFolder } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { zoneByDay } from './support/zones.ts';

// Payments are listed by the browser's year, which must be the office's and must not end meanwhile.
const ZONE = zoneByDay();
test.use({ timezoneId: ZONE });

const HOME = { locationId: 1, description: 'Home', timeZone: ZONE };
const WORK = { ...HOME, locationId: 2, description: 'Work', addressLine1: '3 Congress Avenue' };
const LONG_NAME = `Clearwater ${'Windowcleaning'.repeat(4)} & Sons of Austin`;

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Portal' });
const announced = (page: Page) => page.getByRole('main').getByRole('status');
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function payAll(page: Page, invoices: InvoiceRow[], amount: string): Promise<void> {
  await choose(page, ...invoices);
  await acceptTerms(page);
  await payButton(page, amount).click();
  await expect(page.getByRole('status').filter({ hasText: 'Payment successful!' })).toBeVisible();
}

/** Checks the print layout, also where the browser is set to dark; with `SCREENS` it keeps a picture. */
async function expectPrints(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await expect(navigation(page)).toBeHidden();
  await expect(page.locator(':is(.btn, .no-print, select, [role=alert]):visible')).toHaveCount(0);
  await expectAccessible(page);
  const folder = picturesFolder();
  if (folder !== undefined) {
    await page.setViewportSize({ width: 816, height: 1056 });
    await page.screenshot({ path: join(folder, `${name}-print.png`), fullPage: true });
  }
  await page.emulateMedia({ media: null });
}

test('a payment is found again, with its receipt, in the list and on the statement', async ({
  page,
  request,
  office,
}) => {
  const invoices = await importInvoices(office, HOME, { ...WORK, franchiseName: LONG_NAME });
  const customer = await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
  const [one] = invoices as [InvoiceRow, InvoiceRow];
  await workOrder(page, one)
    .getByLabel(/^Select/)
    .check();
  await workOrder(page, one).getByRole('button', { name: 'Add services' }).click();
  await workOrder(page, one).getByLabel('Additional services amount').fill('12.5');
  await workOrder(page, one).getByLabel('Note').fill('<b>Two</b> more panes');
  await payAll(page, invoices, '$230.03');

  await test.step('the card of what was paid leads to the receipt', async () => {
    await page.getByRole('link', { name: 'See receipt' }).click();
    await expect(title(page, 'Receipt')).toBeFocused();
    await expect(page.getByText('Additional services (<b>Two</b> more panes)')).toBeVisible();
    await expect(page.getByText('Visa')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open PDF' })).toHaveAttribute(
      'href',
      /\/receipt-[\w-]+\.pdf\?/,
    );
    await test.step('offline, its files say so, and the page stays', async () => {
      await page.context().setOffline(true);
      for (const file of ['Open PDF', /^Invoice of work order/]) {
        const link = page.getByRole('link', { name: file }).first();
        await link.click();
        await expect(link.locator('xpath=following-sibling::*[1]')).toHaveText(
          /you are offline\. Connect to the internet, then try again\.$/,
        );
      }
      await page.context().setOffline(false);
      await expect(title(page, 'Receipt')).toBeVisible();
    });
    await expectGoodScreen(page, 'receipt');
    await expectPrints(page, 'receipt');
    const mail = await readMail({ to: customer.email, subject: 'Receipt for your payment' });
    expect(mail.text).toContain(page.url());
  });

  await test.step('the invoices lead to the paid ones', async () => {
    await page.goto('/invoices');
    await page.getByRole('link', { name: 'See your payments' }).click();
    await expect(title(page, 'Payments')).toBeFocused();
  });

  await test.step('the list has it, narrowed down by place too', async () => {
    const receipt = page.getByRole('link', { name: /^Receipt for \$230\.03, \w{3} \d+, \d{4}$/ });
    await expect(receipt).toBeVisible();
    await expectGoodScreen(page, 'payments');
    await expectPrints(page, 'payments');
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect(announced(page)).toHaveText(/^1 payment in \d{4}$/);
    await page.getByLabel('Location').selectOption({ label: 'Work' });
    await expect(page.getByRole('cell', { name: '$108.25', exact: true })).toBeVisible();
    await expect(announced(page)).toHaveText(/^1 payment in \d{4} at Work$/);
    await page.getByLabel('Location').selectOption({ label: 'All locations' });
    await expect(receipt).toBeVisible();
  });

  await test.step('the statement has its lines and sums, on paper and as a file', async () => {
    await page.getByRole('link', { name: 'Statement' }).click();
    await expect(heading(page)).toHaveText(/^Statement \d{4}$/);
    await expect(page.getByRole('row', { name: 'All together $230.03 $0.00 $0.00' })).toBeVisible();
    await expect(page.getByText('This is not a tax document.')).toBeVisible();
    await expectGoodScreen(page, 'statement');
    await expectPrints(page, 'statement');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^payments-\d{4}\.csv$/);
    const text = await readFile(await file.path(), 'utf8');
    expect(text.trim().split('\r\n')).toHaveLength(3);
    expect(text).toContain(LONG_NAME);
  });
});

test('a payment of somebody else shows without a receipt, card and note', async ({
  page,
  request,
  office,
}) => {
  const invoices = await importInvoices(office, HOME);
  const other = await makeCustomer(request, { invoices });
  await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
  await payAll(page, invoices, '$108.25');
  await navigation(page).getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await signIn(page, other);
  await navigation(page).getByRole('link', { name: 'Payments' }).click();
  const row = page.getByRole('row', { name: 'Someone else' });
  await expect(row).toContainText('$108.25');
  await expect(row.getByRole('link')).toHaveCount(0);
});

test('a year without payments says so, and leads to the last one that has some', async ({
  page,
  request,
  office,
}) => {
  const invoices = await importInvoices(office, { ...HOME, paidElsewhere: 108.25 });
  const customer = await makeCustomer(request);
  await signIn(page, customer);
  await page.goto('/payments?year=2019');
  await expect(page.getByRole('heading', { name: 'No payments in 2019.' })).toBeVisible();
  await test.step('the arrow keys go through the years, with the focus kept', async () => {
    const year = page.getByLabel('Year');
    await year.focus();
    await page.keyboard.press('ArrowUp');
    await expect(page).toHaveURL(/year=20[2-9]\d/);
    await expect(page.getByRole('heading', { name: /^No payments in 20[2-9]\d\.$/ })).toBeVisible();
    await expect(year).toBeFocused();
    await expect(announced(page)).toHaveText(/^No payments in 20[2-9]\d$/);
    await page.goto('/payments?year=2019');
    await expect(page.getByRole('heading', { name: 'No payments in 2019.' })).toBeVisible();
  });
  await expectGoodScreen(page, 'payments-none');
  await test.step('without any, the invoices are one press away', async () => {
    await page.getByRole('link', { name: 'See your invoices' }).click();
    await expect(page).toHaveURL('/invoices');
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'No payments in 2019.' })).toBeVisible();
  });
  for (const row of invoices) await linkLocation(request, customer, row);
  await page.reload();
  await page.getByRole('link', { name: /^Payments in \d{4}$/ }).press('Enter');
  await expect(title(page, 'Payments')).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByRole('row', { name: 'Paid to your office' })).toContainText('$108.25');
});

test('a long list has no gap after a payment that ended once its screen was left', async ({
  page,
  request,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 503|Unable to load payments/);
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...HOME,
    workOrderNumber: office.franchiseId * 1_000 + 600 + index,
    paidElsewhere: 108.25,
  }));
  await office.importInvoices(...rows);
  const [unpaid] = (await importInvoices(office, HOME)) as [InvoiceRow];
  await openDashboard(page, request, { invoices: [unpaid], cards: [GOOD_CARD] });
  await choose(page, unpaid);
  await acceptTerms(page);
  const sale = await holdCall(page, '**/usaepay/customerportalsale', 'POST');
  await payButton(page).click();
  await navigation(page).getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  const listed = page.getByRole('row', { name: 'Paid to your office' });
  const more = page.getByRole('button', { name: 'Show more payments' });
  await expect(listed).toHaveCount(50);
  await page.route('**/user/payments?*cursor=*', (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '5' }, json: { detail: 'Not now.' } }),
  );
  await more.click();
  await expect(page.getByRole('alert')).toHaveText(
    'Unable to load more payments. Please try again. The portal is busy. Wait 5 seconds, then try again.',
  );
  await page.unroute('**/user/payments?*cursor=*');
  await more.click();
  await expect(listed).toHaveCount(60);
  sale.goOn();
  await expect(page.getByRole('row', { name: `${unpaid.workOrderNumber}` })).toBeVisible();
  await expect(listed).toHaveCount(49);
  await more.click();
  await expect(listed).toHaveCount(60);
});

test('a long list goes on where it ended, and so does the keyboard', async ({ page, request, office }) => {
  const rows = Array.from({ length: 110 }, (_, index) => ({
    ...HOME,
    workOrderNumber: office.franchiseId * 1_000 + 500 + index,
    paidElsewhere: 108.25,
  }));
  const [first] = await office.importInvoices(...rows);
  const customer = await makeCustomer(request, { invoices: [first as InvoiceRow] });
  await signIn(page, customer);
  await page.goto('/payments');
  const listed = page.getByRole('row', { name: 'Paid to your office' });
  await expect(listed).toHaveCount(50);
  const more = page.getByRole('button', { name: 'Show more payments' });
  await more.press('Enter');
  await expect(listed).toHaveCount(100);
  await expect(listed.nth(50)).toBeFocused();
  await test.step('and is as it was left, for who comes back', async () => {
    await listed.nth(94).scrollIntoViewIfNeeded();
    // A real click would scroll to the link.
    await navigation(page).getByRole('link', { name: 'Payment Methods' }).dispatchEvent('click');
    await expect(heading(page)).toHaveText('Payment Methods');
    const loadedAgain = page.waitForResponse(/payments\?.*cursor=/);
    await page.goBack();
    await expect(listed).toHaveCount(100);
    await expect(listed.nth(94)).toBeInViewport();
    await (await loadedAgain).finished();
    await expect(listed).toHaveCount(100);
  });
  await more.press('Enter');
  await expect(listed).toHaveCount(110);
  await expect(more).toHaveCount(0);
  await expect(listed.nth(100)).toBeFocused();

  await page.setViewportSize({ width: 390, height: 780 });
  await page.reload();
  const cards = page.getByRole('listitem').filter({ hasText: 'Paid to your office' });
  await expect(cards).toHaveCount(50);
  await more.press('Enter');
  await expect(cards).toHaveCount(100);
  await expect(cards.nth(50)).toBeFocused();
});

test('two locations of one name are told apart by their addresses', async ({ page, request, office }) => {
  const paid = { ...HOME, paidElsewhere: 108.25 };
  const invoices = await importInvoices(office, paid, {
    ...paid,
    locationId: 2,
    addressLine1: '3 Congress Avenue',
  });
  const [, second] = invoices as [InvoiceRow, InvoiceRow];
  const customer = await makeCustomer(request, { invoices });
  await signIn(page, customer);
  await page.goto('/payments');
  const places = ['Home, 12 Juniper Lane, Austin, TX', 'Home, 3 Congress Avenue, Austin, TX'];
  await expect(page.getByLabel('Location').getByRole('option')).toHaveText(['All locations', ...places]);
  await page.getByLabel('Location').selectOption({ label: places[1] as string });
  await expectGoodScreen(page, 'payments-of-a-place');
  await page.getByRole('link', { name: 'Statement' }).click();
  await expect(heading(page)).toHaveText(/^Statement/);
  await expect(page.getByText(places[1] as string)).toBeVisible();
  await test.step('also by the scanned code of a paid invoice', async () => {
    await page.goto(addressOf(second));
    await page
      .getByRole('main')
      .getByRole('status')
      .getByRole('link', { name: places[1] as string })
      .click();
    await expect(heading(page)).toHaveText('Home');
  });
});

test('a payment that is not the account’s is not found, and a location that is not leads to all payments', async ({
  page,
  request,
  office,
  consoleGuard,
}) => {
  consoleGuard.allow(/status of 404/);
  const [invoice] = (await importInvoices(office, { ...HOME, paidElsewhere: 108.25 })) as [InvoiceRow];
  const customer = await makeCustomer(request, { invoices: [invoice] });
  await signIn(page, customer);
  await page.goto('/payments/00000000-0000-4000-8000-000000000001');
  await expect(heading(page)).toHaveText('Page not found');
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await navigation(page).getByRole('link', { name: 'Payments' }).click();
  await expect(title(page, 'Payments')).toBeVisible();
  const year = await page.getByLabel('Year').inputValue();

  await page.goto(`/payments?year=${year}&locationId=999999999`);
  await expect(page).toHaveURL(`/payments?year=${year}`);
  await expect(page.getByRole('row', { name: 'Paid to your office' })).toContainText('$108.25');
  await page.goto(`/payments?view=statement&year=${year}&locationId=999999999`);
  await expect(page).toHaveURL(`/payments?view=statement&year=${year}`);
  await expect(heading(page)).toHaveText(`Statement ${year}`);
});
