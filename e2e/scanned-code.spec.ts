import { addressOf, importInvoice, openInvoice } from './guest-payment-steps.ts';
import { openDashboard, workOrder } from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { fillSignIn, makeAccount, signIn } from './support/people.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const NOT_FOUND = 'Invoice not found. Please check your information and try again.';

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
      await page.getByRole('button', { name: 'Add Location' }).click();
      await expect(page).toHaveURL('/invoices');
      await expect(page.getByText(/is selected, ready to be paid/)).toBeVisible();
      await expect(workOrder(page, invoice).getByRole('checkbox').first()).toBeChecked();
    });
  });
}

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
