import type { Page } from '@playwright/test';
import { acceptTerms, GOOD_CARD } from './guest-payment-steps.ts';
import {
  callAs,
  choose,
  holdCall,
  importInvoices,
  linkLocation,
  loseAnswer,
  openDashboard,
  payButton,
  workOrder,
} from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import type { InvoiceRow, Office } from './support/console/office.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const OOPS = 'Oops, an unexpected error has occurred.';
const HOME = { locationId: 1, description: 'Home', addressLine1: '12 Juniper Lane' };
const OFFICE = { locationId: 2, description: 'Office', addressLine1: '3 Congress Avenue, Suite 400' };

const sidebar = (page: Page) => page.getByRole('complementary');

/** One invoice of every kind, across two locations. */
function everyKind(office: Office): Promise<InvoiceRow[]> {
  return importInvoices(
    office,
    { ...HOME, dueDate: '2026-01-31', service: 'Exterior windows; Screens' },
    { ...HOME, dueDate: '', completedDate: '', amount: 54, salesTaxAmount: 0, salesTaxRate: 0 },
    { ...OFFICE, paidElsewhere: 50, tipsEnabled: false },
    { ...OFFICE, amount: 1234.5, salesTaxAmount: 94.08, franchiseName: 'Clearwater Windows & Gutters' },
  );
}

test('without locations welcomes, and leads to adding one', async ({ page, request }) => {
  await openDashboard(page, request);
  await expect(heading(page)).toHaveText('Welcome');
  await expect(page).toHaveTitle('Welcome');
  await expectGoodScreen(page, 'dashboard-empty');
  await page.getByRole('main').getByRole('link', { name: 'Add Location' }).click();
  await expect(page).toHaveURL('/locations/add');
});

test('shows everything that is due, and how urgent it is', async ({ page, request, office }) => {
  test.slow();
  const invoices = await everyKind(office);
  const [overdue, pending, partPaid, due] = invoices as [InvoiceRow, InvoiceRow, InvoiceRow, InvoiceRow];
  await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });

  await expect(page).toHaveTitle('All Unpaid Invoices');
  await expect(sidebar(page)).toContainText(/Outstanding balance\s*\$1,455\.00/);
  const links = sidebar(page).getByRole('link');
  await expect(links).toHaveText([
    'All Unpaid Invoices',
    /Home\s*12 Juniper Lane, Austin, TX/,
    /Office\s*3 Congress Avenue, Suite 400, Austin, TX/,
    'Add Location',
  ]);
  await expect(links.first()).toHaveAttribute('aria-current', 'page');
  await test.step('in forced colors, which take the shadows away, a line marks it', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await expect(links.first()).toHaveCSS('text-decoration-line', 'underline');
    await expect(links.nth(1)).toHaveCSS('text-decoration-line', 'none');
    await page.emulateMedia({ forcedColors: null });
  });

  await expect(workOrder(page, overdue)).toContainText(
    /Exterior windows, Screens · Nov 2, 2026.*Overdue.*\$108\.25/,
  );
  await expect(workOrder(page, overdue)).toContainText('Jan 31, 2026');
  await expect(workOrder(page, pending)).toContainText(/Upcoming.*Pending.*\$54\.00/);
  await expect(workOrder(page, partPaid)).toContainText(/Due.*\$58\.25.*\$50\.00 paid so far/);
  await expect(workOrder(page, due)).toContainText(/Clearwater Windows & Gutters.*Dec 31, 2099.*\$1,234\.50/);

  await expect(page.getByText('Paid invoices are under Payments.')).toBeVisible();
  await expectGoodScreen(page, 'dashboard');
  await page.getByLabel('Select all invoices').check();
  await page.getByRole('button', { name: 'Tip 15%' }).click();
  await workOrder(page, partPaid).getByRole('button', { name: 'Add services' }).click();
  await expectGoodScreen(page, 'dashboard-selected');
});

test('opens the invoice itself', async ({ page, request, office }) => {
  const invoices = await importInvoices(office, {});
  await openDashboard(page, request, { invoices });
  const link = page.getByRole('link', { name: `PDF of work order ${invoices[0]?.workOrderNumber}` });
  const answer = await request.get((await link.getAttribute('href')) ?? '');
  expect(answer.headers()['content-type']).toBe('application/pdf');
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const height = async () => (await link.boundingBox())?.height;
    await expect.poll(height, { message: `pixels for a finger at ${width}` }).toBe(44);
  }
});

test.describe('the list', () => {
  test('keeps a long number apart from a large amount on the narrowest phone', async ({
    page,
    request,
    office,
  }) => {
    const workOrderNumber = 2_000_000_000 + office.franchiseId;
    const invoices = await importInvoices(office, {
      workOrderNumber,
      ...{ amount: 12_345.67, salesTaxAmount: 0, salesTaxRate: 0 },
    });
    await openDashboard(page, request, { invoices });
    await page.setViewportSize({ width: 320, height: 780 });
    await expect(page.getByRole('table')).toHaveCount(0);
    const card = page.getByRole('group', { name: `Work order ${workOrderNumber}` });
    const number = await card.getByText(`${workOrderNumber}`, { exact: true }).boundingBox();
    const amount = await card.getByText('$12,345.67').boundingBox();
    expect((number?.x ?? 0) + (number?.width ?? Infinity)).toBeLessThanOrEqual(amount?.x ?? 0);
  });

  test('is a table on a wide screen, cards on a narrow one, and one draft', async ({
    page,
    request,
    office,
  }) => {
    const invoices = await everyKind(office);
    const [overdue, pending] = invoices as [InvoiceRow, InvoiceRow];
    await openDashboard(page, request, { invoices, cards: [GOOD_CARD] });
    await expect(page.getByRole('table')).toBeVisible();
    await choose(page, overdue);
    await workOrder(page, overdue).getByRole('button', { name: '20%' }).click();

    await page.setViewportSize({ width: 390, height: 800 });
    await expect(page.getByRole('table')).toHaveCount(0);
    await expect(page.getByRole('group', { name: /^Work order/ })).toHaveCount(4);
    await expect(workOrder(page, overdue).getByRole('button', { name: '20%' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await choose(page, pending);
    await expect(payButton(page)).toHaveText('Pay $182.25');
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page.getByLabel(`Select work order ${pending.workOrderNumber}`)).toBeChecked();
  });

  test('is selected as a whole, in part, or not at all', async ({ page, request, office }) => {
    const invoices = await everyKind(office);
    const [first] = invoices as [InvoiceRow];
    await openDashboard(page, request, { invoices });
    const all = page.getByLabel('Select all invoices');
    const isMixed = () => all.evaluate((box) => (box as HTMLInputElement).indeterminate);
    await expect(payButton(page)).toHaveText('Pay $0.00');
    await all.check();
    await expect(payButton(page)).toHaveText('Pay $1,455.00');
    expect(await isMixed()).toBe(false);
    await page.getByLabel(`Select work order ${first.workOrderNumber}`).uncheck();
    await expect(all).not.toBeChecked();
    expect(await isMixed()).toBe(true);
    await all.check();
    await all.uncheck();
    await expect(payButton(page)).toHaveText('Pay $0.00');
    expect(await isMixed()).toBe(false);
  });

  test('is tipped as a whole by the full balance, where tips are taken', async ({
    page,
    request,
    office,
  }) => {
    const invoices = await everyKind(office);
    const [overdue, , partPaid] = invoices as [InvoiceRow, InvoiceRow, InvoiceRow];
    await openDashboard(page, request, { invoices });
    const tip = page.getByRole('button', { name: 'Tip 20%' });
    await expect(tip).toBeDisabled();
    await choose(page, partPaid);
    await expect(tip).toBeDisabled();
    await choose(page, overdue);
    await tip.click();
    await expect(workOrder(page, overdue).getByLabel('Custom tip amount')).toHaveCount(0);
    await expect(payButton(page)).toHaveText('Pay $188.15');
    await page.getByRole('button', { name: 'Tip 15%' }).click();
    await expect(payButton(page)).toHaveText('Pay $182.74');
  });
});

test.describe('a location', () => {
  test('shows its own invoices, its address and what has been paid there', async ({
    page,
    request,
    office,
  }) => {
    const invoices = await everyKind(office);
    const { franchiseName } = invoices[3] as InvoiceRow;
    const [paid] = await importInvoices(office, { ...OFFICE, franchiseName, paidElsewhere: 108.25 });
    const [overdue, , partPaid, due] = invoices as [InvoiceRow, InvoiceRow, InvoiceRow, InvoiceRow];
    await openDashboard(page, request, { invoices });
    await sidebar(page)
      .getByRole('link', { name: /^Office/ })
      .click();
    await expect(page).toHaveURL(/\/locations\/\d+$/);
    await expect(heading(page)).toHaveText('Office');
    await expect(heading(page)).toBeFocused();
    await expect(page.getByRole('group', { name: /^Work order/ })).toHaveCount(2);
    await expect(workOrder(page, partPaid)).toBeVisible();
    await expect(workOrder(page, due)).toBeVisible();
    await expect(workOrder(page, overdue)).toHaveCount(0);
    await expect(sidebar(page)).toContainText('$1,455.00');
    for (const width of [390, 1280]) {
      await test.step(`at ${width} pixels each invoice names who sent it, and the screen its place once`, async () => {
        await page.setViewportSize({ width, height: 800 });
        await expect(page.getByRole('table')).toHaveCount(width === 390 ? 1 : 2);
        await expect(workOrder(page, due)).toContainText(franchiseName);
        await expect(workOrder(page, due)).not.toContainText('3 Congress Avenue');
      });
    }

    const history = page.getByRole('region', { name: 'Payment history' });
    await expect(history.getByRole('row').nth(1)).toContainText(`${paid?.workOrderNumber}`);
    await expect(history.getByRole('row').nth(1)).toContainText('$108.25');
    const link = history.getByRole('link', { name: `PDF of work order ${paid?.workOrderNumber}` });
    const answer = await request.get((await link.getAttribute('href')) ?? '');
    expect(answer.headers()['content-type']).toBe('application/pdf');
    await expectGoodScreen(page, 'location');
  });

  test('with nothing due says so', async ({ page, request, office }) => {
    const invoices = await importInvoices(office, { paidElsewhere: 108.25 });
    await openDashboard(page, request, { invoices });
    await expect(page.getByRole('heading', { name: 'Nothing is due' })).toBeVisible();
    await expect(sidebar(page)).toContainText('$0.00');
    await expectGoodScreen(page, 'dashboard-nothing-due');
    await page.getByRole('link', { name: 'See your payments' }).click();
    await expect(page).toHaveURL('/payments');
    await page.goBack();
    await sidebar(page).getByRole('link', { name: /^Home/ }).click();
    await expect(page.getByText('This location has no unpaid invoices.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Payment history' })).toContainText('$108.25');
    await expectFits(page, 'location-nothing-due');
    await page.getByRole('link', { name: 'See all your invoices' }).click();
    await expect(page).toHaveURL('/invoices');
  });

  test('is picked from a menu on a phone', async ({ page, request, office }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await openDashboard(page, request, { invoices: await everyKind(office) });
    const place = sidebar(page).getByRole('link', { name: /^Office/ });
    await expect(place).toBeHidden();
    await sidebar(page).getByText('All Unpaid Invoices').first().click();
    await expectAccessible(page);
    await place.click();
    await expect(heading(page)).toHaveText('Office');
    await expect(place).toBeHidden();
  });

  for (const address of ['999999999', '007', 'nowhere']) {
    test(`that is unknown (${address}) ends on the error page`, async ({
      page,
      request,
      office,
      consoleGuard,
    }) => {
      consoleGuard.allow(/Unable to load payment history|Unknown location/);
      await openDashboard(page, request, { invoices: await importInvoices(office, {}) });
      await page.goto(`/locations/${address}`);
      await expect(heading(page)).toHaveText(OOPS);
      // Never claim a report: this portal has no reporter.
      await expect(page.getByText('It has been reported.')).toHaveCount(0);
    });
  }

  test('of somebody else ends there, too', async ({ page, request, office, consoleGuard }) => {
    consoleGuard.allow(/Unable to load payment history/);
    const [mine, theirs] = (await importInvoices(office, HOME, OFFICE)) as [InvoiceRow, InvoiceRow];
    const customer = await openDashboard(page, request, { invoices: [theirs] });
    const [location] = (await callAs(request, customer, 'GET', '/user/location')) as { locationId: number }[];
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/');
    await openDashboard(page, request, { invoices: [mine] });
    await page.goto(`/locations/${location?.locationId}`);
    await expect(heading(page)).toHaveText(OOPS);
  });
});

test.describe('removing a location', () => {
  test('is asked about first, and then said', async ({ page, request, office }) => {
    const invoices = await everyKind(office);
    await openDashboard(page, request, { invoices });
    const [home, , ofOffice] = invoices as [InvoiceRow, InvoiceRow, InvoiceRow];
    await choose(page, home, ofOffice);
    const receipt = page.getByLabel('Send me a receipt');
    await receipt.uncheck();
    await acceptTerms(page);
    await sidebar(page)
      .getByRole('link', { name: /^Office/ })
      .click();
    const remove = page.getByRole('button', { name: 'Remove location' });
    const dialog = page.getByRole('dialog', { name: 'Remove Office?' });
    await remove.click();
    await expect(dialog).toBeVisible();
    await expectGoodScreen(page, 'location-remove');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(remove).toBeFocused();
    await remove.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(heading(page)).toHaveText('Office');

    await remove.click();
    await test.step('a drag out of the question leaves it open, and a click beside it does not', async () => {
      await dialog.getByText('Its invoices will no longer').hover();
      await page.mouse.down();
      await page.mouse.move(5, 5);
      await page.mouse.up();
      await expect(dialog).toBeVisible();
      await page.mouse.click(5, 5);
      await expect(dialog).toBeHidden();
    });

    await remove.click();
    const removal = await holdCall(page, '**/user/location/*', 'DELETE');
    await dialog.getByRole('button', { name: 'Remove location' }).click();
    await removal.asked;
    await test.step('it stays open while the location is being removed', async () => {
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
      await page.mouse.click(5, 5);
      // The browser closes a dialog at the second Escape without asking.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect(dialog).toBeVisible();
    });
    removal.goOn();
    await expect(page).toHaveURL('/invoices');
    await expect(page.getByRole('status').filter({ hasText: 'Location removed' })).toBeFocused();
    await expect(sidebar(page).getByRole('link', { name: /^Office/ })).toHaveCount(0);
    await expect(page.getByRole('group', { name: /^Work order/ })).toHaveCount(2);
    await expect(sidebar(page)).toContainText('$162.25');
    await test.step('what was chosen for a payment of the others stays', async () => {
      await expect(payButton(page)).toHaveText('Pay $108.25');
      await expect(receipt).not.toBeChecked();
      await expect(page.getByLabel(/I accept the terms/)).toBeChecked();
    });
  });

  test('that does not work says so, and can be tried again', async ({
    page,
    request,
    office,
    consoleGuard,
    context,
  }) => {
    consoleGuard.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Unable to remove location/);
    await openDashboard(page, request, { invoices: await everyKind(office) });
    await sidebar(page).getByRole('link', { name: /^Home/ }).click();
    await page.getByRole('button', { name: 'Remove location' }).click();
    const dialog = page.getByRole('dialog');
    await context.setOffline(true);
    await dialog.getByRole('button', { name: 'Remove location' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Unable to remove location');
    await expect(dialog.getByRole('alert')).toBeFocused();
    await context.setOffline(false);
    await test.step('also if it worked and only the answer is lost; the next try then says that it is gone', async () => {
      await loseAnswer(page, '**/user/location/*');
      await dialog.getByRole('button', { name: 'Remove location' }).click();
      await expect(dialog.getByRole('alert')).toHaveText('Unable to remove location');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Remove location' }).click();
    });
    await dialog.getByRole('button', { name: 'Remove location' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Location removed' })).toBeVisible();
  });

  test('that somebody has removed already says so', async ({ page, request, office, context }) => {
    await openDashboard(page, request, { invoices: await everyKind(office) });
    await sidebar(page).getByRole('link', { name: /^Home/ }).click();
    await expect(page).toHaveURL(/\/locations\//);
    const other = await context.newPage();
    await other.goto(page.url());
    // Both tabs must show it before one removes it.
    await expect(other.getByRole('button', { name: 'Remove location' })).toBeVisible();
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: 'Remove location' }).click();
      await tab.getByRole('dialog').getByRole('button', { name: 'Remove location' }).click();
      if (tab === page) await expect(tab).toHaveURL('/invoices');
    }
    await expect(other.getByRole('alert')).toHaveText('Unable to remove location');
  });
});

test('an invitation that is accepted brings its invoices', async ({ page, request, office }) => {
  const invoices = await importInvoices(office, { ...HOME, customerNumber: 4, customerName: 'Maison Élan' });
  const [own] = await importInvoices(office, { ...OFFICE, customerNumber: 5 });
  const customer = await openDashboard(page, request);
  await linkLocation(request, customer, own as InvoiceRow);
  await office.send('POST', '/office/invitations', {
    franchiseId: office.franchiseId,
    customerNumber: 4,
    email: customer.email,
  });
  await page.reload();
  await choose(page, own as InvoiceRow);
  await expectFits(page, 'dashboard-invited');
  await page.getByRole('button', { name: 'Accept Invite' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Invite accepted' })).toBeFocused();
  await expect(workOrder(page, invoices[0] as InvoiceRow)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept Invite' })).toHaveCount(0);
  await expect(payButton(page)).toHaveText('Pay $108.25');
});

for (const call of [
  'user/location',
  'user/invoice',
  'usaepay/portal/paymentmethods',
  'user/invitations',
  'user',
]) {
  test(`without an answer from ${call} there is the error page, and a way back`, async ({
    page,
    request,
    consoleGuard,
  }) => {
    consoleGuard.allow(/Unable to load|status of 500/);
    await openDashboard(page, request);
    const address = `**/api/${call}`;
    await page.route(address, (route) => route.fulfill({ status: 500, json: { detail: 'secret' } }));
    await page.reload();
    await expect(heading(page)).toHaveText(OOPS);
    await expect(page.getByText('secret')).toHaveCount(0);
    await page.unroute(address);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(heading(page)).toHaveText('Welcome');
  });
}
