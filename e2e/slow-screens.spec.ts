import { holdCall, openDashboard } from './portal-steps.ts';
import { expectAccessible } from './support/accessibility.ts';
import { expectFits, heading } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('a screen that takes longer than a moment to load says that it is on its way', async ({
  page,
  request,
}) => {
  await openDashboard(page, request);
  await page.clock.install();
  await page.goto('/invoices');
  await expect(heading(page)).toHaveText('Welcome');
  await page.clock.pauseAt(Date.now() + 60_000);
  const payments = await holdCall(page, '**/api/user/payments?*', 'GET');
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await payments.asked;

  const onItsWay = page.locator('[aria-live="polite"]').getByText('Loading…');
  await page.clock.runFor(299);
  await expect(onItsWay).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(onItsWay).toHaveCount(1);
  await page.clock.resume();
  await expect(page.locator('.navigation-progress')).toBeInViewport();
  await expectFits(page, 'screen-on-its-way');
  await expectAccessible(page);

  payments.goOn();
  await expect(heading(page)).toHaveText('Payments');
  await expect(onItsWay).toHaveCount(0);
});
