import type { Page } from '@playwright/test';
import { addressOf, importInvoice, openInvoice } from './guest-payment-steps.ts';
import { linkLocation, openDashboard, workOrder } from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { fillSignIn, makeAccount, signIn } from './support/people.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const NOT_FOUND = 'Invoice not found. Please check your information and try again.';

/** How often a status with that text appears in this document from now on. */
async function countAnnouncements(page: Page, text: string): Promise<() => Promise<number>> {
  const times = await page.evaluateHandle((said) => {
    const counted = { times: 0 };
    new MutationObserver((records) => {
      const added = records
        .flatMap(({ addedNodes }) => [...addedNodes])
        .filter((node) => node instanceof Element);
      counted.times += added
        .flatMap((node) => [node, ...node.querySelectorAll('*')])
        .filter((node) => node.matches('[role=status]') && node.textContent.includes(said)).length;
    }).observe(document.body, { childList: true, subtree: true });
    return counted;
  }, text);
  return () => times.evaluate((counted) => counted.times);
}

for (const { device, viewport } of [
  { device: 'a desktop', viewport: { width: 1280, height: 900 } },
  { device: 'a phone', viewport: { width: 390, height: 844 } },
]) {
  test.describe(`the code of an invoice, scanned by a signed-in customer on ${device}`, () => {
    test.use({ viewport });

    test('selects the invoice where it is theirs', async ({ page, request, office }) => {
      const invoice = await importInvoice(office);
      const other = await importInvoice(office);
      await openDashboard(page, request, { invoices: [invoice, other] });
      await page.goto(addressOf(invoice));
      await expect(page).toHaveURL('/invoices');
      await expect(page.getByRole('status').filter({ hasText: 'is selected' })).toContainText(
        `Work order ${invoice.workOrderNumber} is selected`,
      );
      const select = (row: typeof invoice) => workOrder(page, row).getByRole('checkbox').first();
      await expect(select(invoice)).toBeChecked();
      await expect(select(other)).not.toBeChecked();
      await expectFits(page, 'scanned-due');
      await expectAccessible(page);
      await page.reload();
      await expect(select(invoice)).toBeChecked();
    });

    test('offers to add the location, filled in, and then selects the invoice', async ({
      page,
      request,
      office,
    }) => {
      const invoice = await importInvoice(office);
      await openDashboard(page, request);
      await page.goto(addressOf(invoice));
      await expect(page).toHaveURL('/invoices');
      await expect(page.getByText(/which is not among your locations/)).toBeVisible();
      await expectFits(page, 'scanned-elsewhere');
      await expectAccessible(page);
      await page.reload();
      await page.getByRole('link', { name: 'Add this location' }).click();
      await expect(heading(page)).toHaveText('Add Location');
      await expect(page.getByLabel('Franchise #')).toHaveValue(`${invoice.franchiseId}`);
      await expect(page.getByLabel('Work Order #')).toHaveValue(`${invoice.workOrderNumber}`);
      await expect(page.getByLabel('Zip Code')).toHaveValue(invoice.zipCode);
      const timesAdded = await countAnnouncements(page, 'Location added');
      await page.getByRole('button', { name: 'Add Location' }).click();
      await expect(page).toHaveURL('/invoices');
      await expect(page.getByText(/is selected, ready to be paid/)).toBeVisible();
      await expect(workOrder(page, invoice).getByRole('checkbox').first()).toBeChecked();
      await expect(page.getByText('Location added')).toBeVisible();
      expect(await timesAdded()).toBe(1);
    });
  });
}

test('a scanned invoice that was taken off stays off', async ({ page, request, office }) => {
  const invoice = await importInvoice(office);
  await openDashboard(page, request, { invoices: [invoice] });
  await page.goto(addressOf(invoice));
  const notice = page.getByRole('status').filter({ hasText: `Work order ${invoice.workOrderNumber} is` });
  await expect(notice).toContainText('is selected, ready to be paid below.');
  const select = workOrder(page, invoice).getByRole('checkbox').first();
  await select.uncheck();
  await expect(notice).toHaveText(/is due\. Select it below to pay it\.$/);
  await expect(select).toBeFocused();

  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Payments' }).click();
  await expect(page).toHaveURL('/payments');
  await page.goBack();
  await expect(notice).toBeVisible();
  await expect(select).not.toBeChecked();
  await page.reload();
  await expect(notice).toBeVisible();
  await expect(select).not.toBeChecked();

  await page.goto(addressOf(invoice));
  await expect(notice).toContainText('is selected');
  await expect(select).toBeChecked();
});

test('the code of a paid invoice says so and leads to its payments', async ({ page, request, office }) => {
  const invoice = await importInvoice(office);
  await openDashboard(page, request, { invoices: [invoice] });
  await office.importInvoices({ ...invoice, paidElsewhere: invoice.amount });
  await page.goto(addressOf(invoice));
  await expect(page).toHaveURL('/invoices');
  await expect(page.getByText(`Work order ${invoice.workOrderNumber} is already paid.`)).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Home', exact: true }).click();
  await expect(heading(page)).toHaveText('Home');
});

for (const { who, isNext } of [
  { who: 'the next occupant', isNext: true },
  { who: 'the former occupant, whose account has lost the location', isNext: false },
]) {
  test(`a former occupant’s invoice leads ${who} to Quick Pay, which logs out`, async ({
    page,
    request,
    office,
  }) => {
    const invoice = await importInvoice(office);
    const customer = await openDashboard(page, request, { invoices: isNext ? [] : [invoice] });
    const next = await importInvoice(office, { customerNumber: 2, customerName: 'Ben Ortiz' });
    if (isNext) await linkLocation(request, customer, next);
    await page.goto(addressOf(invoice));
    await expect(page).toHaveURL('/invoices');
    const notice = page.getByRole('status').filter({ hasText: 'Log out to pay this one under Quick Pay' });
    await expect(notice).toContainText(
      `Work order ${invoice.workOrderNumber} is for 12 Juniper Lane, and $108.25 is due.`,
    );
    await expect(page.getByRole('link', { name: 'Add this location' })).toHaveCount(0);
    await expectFits(page, 'scanned-former');
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Log out and open Quick Pay' }).click();
    await expect(page).toHaveURL(addressOf(invoice));
    await expect(page.getByRole('button', { name: 'Pay $108.25' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/login');
    await signIn(page, await makeAccount(request));
    await expect(heading(page)).toHaveText('Welcome');
    await expect(notice).toHaveCount(0);
  });
}

test('a former occupant’s paid invoice is said to be paid, and no page of the next one’s to list it', async ({
  page,
  request,
  office,
}) => {
  const invoice = await importInvoice(office);
  const next = await importInvoice(office, { customerNumber: 2, customerName: 'Ben Ortiz' });
  await openDashboard(page, request, { invoices: [next] });
  await office.importInvoices({ ...invoice, paidElsewhere: invoice.amount }, { ...next, customerNumber: 2 });
  await page.goto(addressOf(invoice));
  await expect(
    page.getByText(`Work order ${invoice.workOrderNumber} is already paid.`, { exact: true }),
  ).toBeVisible();
});

test('a code that leads to no invoice says so', async ({ page, request, office }) => {
  const invoice = await importInvoice(office);
  await openDashboard(page, request, { invoices: [invoice] });
  await page.goto(addressOf({ ...invoice, workOrderNumber: 999_999_999 }));
  await expect(page).toHaveURL('/invoices');
  await expect(page.getByRole('alert')).toHaveText(NOT_FOUND);
});

test('who signs in from the scanned invoice finds it selected', async ({ page, request, office }) => {
  const invoice = await importInvoice(office);
  const customer = await openDashboard(page, request, { invoices: [invoice] });
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  // The script has run by then, which takes the numbers along.
  await openInvoice(page, invoice);
  await page.getByRole('link', { name: 'Log In' }).click();
  await fillSignIn(page, customer);
  await expect(page).toHaveURL('/invoices');
  await expect(workOrder(page, invoice).getByRole('checkbox').first()).toBeChecked();
});

test('logging out leaves nothing of a scanned code', async ({ page, request, office }) => {
  const invoice = await importInvoice(office);
  await openDashboard(page, request);
  await page.goto(addressOf(invoice));
  await expect(page.getByRole('link', { name: 'Add this location' })).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await signIn(page, await makeAccount(request));
  await expect(heading(page)).toHaveText('Welcome');
  await expect(page.getByRole('link', { name: 'Add this location' })).toHaveCount(0);
});
