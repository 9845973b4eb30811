import { importInvoices, openDashboard } from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('a location without a description is named by its address everywhere', async ({
  page,
  request,
  office,
}) => {
  const address = '12 Juniper Lane, Austin, TX';
  await openDashboard(page, request, { invoices: await importInvoices(office, { description: '' }) });
  await page
    .getByRole('navigation', { name: 'Locations' })
    .getByRole('link', { name: address, exact: true })
    .click();
  await expect(heading(page)).toHaveText(address);
  await expect(page).toHaveTitle(address);
  await expectAccessible(page);
  await expectFits(page, 'location-unnamed');
  await page.getByRole('button', { name: 'Remove location' }).click();
  await expect(page.getByRole('dialog', { name: `Remove ${address}?` })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.locator('summary')).toHaveText(address);
});
